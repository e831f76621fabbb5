// SPDX-License-Identifier: Apache-2.0
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { createRoot } from "react-dom/client";
import { ApiError } from "./api/client";
import { restoreSession, session } from "./api/session";
import { Shell } from "./views/shell/shell";

const client = new QueryClient({
  defaultOptions: {
    queries: {
      retry: (attempts, fault) => attempts < 2 && fault instanceof ApiError && fault.code === "Unreachable",
      retryDelay: 400,
      refetchOnWindowFocus: false,
    },
  },
});

// Who signs decides what is seen.
session.subscribe(() => void (session.get().state === "open" && client.resetQueries()));

void restoreSession().finally(() => {
  createRoot(document.getElementById("root")!).render(
    <QueryClientProvider client={client}>
      <Shell />
    </QueryClientProvider>,
  );
});
