// SPDX-License-Identifier: Apache-2.0
// What a view shows instead of its content: nothing there, a fault, work under way.
import type { LucideIcon } from "lucide-react";
import { CircleAlert } from "lucide-react";
import type { ReactNode } from "react";

interface StateProps {
  icon?: LucideIcon;
  title: string;
  children?: ReactNode;
}

export function State({ icon: Icon, title, children }: StateProps) {
  return (
    <div className="state">
      {Icon && <Icon className="icon" aria-hidden />}
      <h2>{title}</h2>
      {children}
    </div>
  );
}

export function Fault({ fault, retry }: { fault: Error; retry?: (() => void) | undefined }) {
  return (
    <div role="alert" className="state">
      <CircleAlert className="icon" aria-hidden />
      <h2>That did not work</h2>
      <p>{fault.message}</p>
      {retry && (
        <button className="button" onClick={retry}>
          Try again
        </button>
      )}
    </div>
  );
}

export function Loading({ what }: { what: string }) {
  return (
    <div className="state" role="status">
      <div className="skeleton" style={{ width: 160 }} />
      <span className="visually-hidden">Loading {what}</span>
    </div>
  );
}
