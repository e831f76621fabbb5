// SPDX-License-Identifier: Apache-2.0
import { Dialog, DialogDismiss, DialogHeading } from "@ariakit/react";
import { X } from "lucide-react";
import type { ReactNode } from "react";

interface ModalProps {
  title: string;
  close: () => void;
  foot?: ReactNode;
  wide?: boolean;
  children: ReactNode;
}

export function Modal({ title, close, foot, wide, children }: ModalProps) {
  return (
    <Dialog open onClose={close} className={wide ? "dialog wide" : "dialog"} backdrop={<div className="backdrop" />}>
      <div className="dialog-head">
        <DialogHeading>{title}</DialogHeading>
        <DialogDismiss className="button quiet only-icon" aria-label="Close">
          <X className="icon" aria-hidden />
        </DialogDismiss>
      </div>
      <div className="dialog-body">{children}</div>
      {foot && <div className="dialog-foot">{foot}</div>}
    </Dialog>
  );
}
