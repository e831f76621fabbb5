// SPDX-License-Identifier: Apache-2.0
// The browser's address as a Route, and links that change it without a load.
import type { AnchorHTMLAttributes, MouseEvent } from "react";
import type { Route } from "../core/route";
import { routeOf, urlOf } from "../core/route";
import { createStore } from "../core/store";
import { useStore } from "./use_store";

const here = (): Route => routeOf(location.pathname, location.search);
const current = createStore<Route>(here());
addEventListener("popstate", () => current.set(here()));

export function currentRoute(): Route {
  return current.get();
}

export function useRoute(): Route {
  return useStore(current);
}

export function navigate(route: Route, how: "push" | "replace" = "push"): void {
  const url = urlOf(route);
  if (how === "replace" || url === location.pathname + location.search) history.replaceState(null, "", url);
  else history.pushState(null, "", url);
  current.set(route);
}

interface LinkProps extends Omit<AnchorHTMLAttributes<HTMLAnchorElement>, "href"> {
  to: Route;
}

export function Link({ to, onClick, ...rest }: LinkProps) {
  const follow = (event: MouseEvent<HTMLAnchorElement>) => {
    onClick?.(event);
    if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    navigate(to);
  };
  return <a href={urlOf(to)} onClick={follow} {...rest} />;
}
