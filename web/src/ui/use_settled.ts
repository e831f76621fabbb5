// SPDX-License-Identifier: Apache-2.0
import { useEffect, useState } from "react";

// The value as it was when it last stood still for so many milliseconds.
export function useSettled<T>(value: T, milliseconds: number): T {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), milliseconds);
    return () => clearTimeout(timer);
  }, [value, milliseconds]);
  return settled;
}
