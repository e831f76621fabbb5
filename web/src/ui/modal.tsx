// SPDX-License-Identifier: Apache-2.0
import { Dialog, DialogDismiss, DialogHeading } from "@ariakit/react";
import { X } from "lucide-react";
import type { ReactNode } from "react";

interface ModalProps {
  title: string;
  close: (() => void) | null; // null: the page needs an answer
  foot?: ReactNode;
  wide?: boolean;
  children: ReactNode;
}

export function Modal({ title, close, foot, wide, children }: ModalProps) {
  return (
    <Dialog open hideOnEscape={close !== null} hideOnInteractOutside={close !== null} {...(close ? { onClose: close } : {})} className={wide ? "dialog wide" : "dialog"} backdrop={<div className="backdrop" />}>
      <div className="dialog-head">
        <DialogHeading>{title}</DialogHeading>
        {close && (
          <DialogDismiss className="button quiet only-icon" aria-label="Close">
            <X className="icon" aria-hidden />
          </DialogDismiss>
        )}
      </div>
      <div className="dialog-body">{children}</div>
      {foot && <div className="dialog-foot">{foot}</div>}
    </Dialog>
  );
}
