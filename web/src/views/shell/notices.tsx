// SPDX-License-Identifier: Apache-2.0
import { CircleAlert, CircleCheck, X } from "lucide-react";
import { dismiss, notices } from "../../actions/state";
import { useStore } from "../../ui/use_store";

export function Notices() {
  const shown = useStore(notices);
  return (
    <div className="notices" role="status" aria-live="polite">
      {shown.map((notice) => {
        const Icon = notice.bad ? CircleAlert : CircleCheck;
        return (
          <div key={notice.id} className={notice.bad ? "notice bad" : "notice"}>
            <Icon className="icon" aria-hidden />
            <p className="grow">{notice.text}</p>
            {notice.action && (
              <button
                className="button"
                onClick={() => {
                  notice.action?.run();
                  dismiss(notice.id);
                }}
              >
                {notice.action.title}
              </button>
            )}
            <button className="button quiet only-icon" aria-label="Dismiss" onClick={() => dismiss(notice.id)}>
              <X className="icon" aria-hidden />
            </button>
          </div>
        );
      })}
    </div>
  );
}
