import { styleText } from "node:util";

/** Text that stands out on a terminal; plain anywhere else, and wherever NO_COLOR is set (no-color.org). */
export function emphasised(text: string): string {
  return process.stdout.isTTY && !process.env.NO_COLOR ? styleText(["bold", "green"], text) : text;
}
