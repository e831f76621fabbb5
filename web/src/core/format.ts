// SPDX-License-Identifier: Apache-2.0
// Numbers as people read them.

const whole = new Intl.NumberFormat("en-US");
const units = new Intl.NumberFormat("en-US", { maximumFractionDigits: 1 });
const short = new Intl.NumberFormat("en-US", { maximumFractionDigits: 1, minimumFractionDigits: 0 });

export function count(number: number, one: string, many = `${one}s`): string {
  return `${whole.format(number)} ${number === 1 ? one : many}`;
}

export function integer(number: number): string {
  return whole.format(number);
}

export function unitCount(number: number): string {
  return units.format(number);
}

export function unitsOf(number: number): string {
  return number === 1 ? "unit" : "units";
}

export function bytes(number: number): string {
  if (number < 1024) return count(number, "byte");
  for (const [unit, size] of [["KB", 2 ** 10], ["MB", 2 ** 20], ["GB", 2 ** 30]] as const) {
    if (number < size * 1024 || unit === "GB") return `${short.format(number / size)} ${unit}`;
  }
  return "";
}
