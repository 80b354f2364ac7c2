import type { Message } from "./answer.js";

export interface Said {
  role: string;
  content: string;
  name?: string;
}

/** What the service puts into a string before and after its blocks, which end with a line end. */
export const [BEFORE, AFTER] = ["\n\n", "\n"];
const START = /<((?:directive|memories)-\d{6,12})>\n/g;
const END = /<\/((?:directive|memories)-\d{6,12})>\n?/g;

/** Role, text and name of each message of an end user or assistant, without injected blocks; empty ones are left out. */
export function spoken(messages: readonly Message[]): Said[] {
  return messages
    .filter(({ role }) => role === "user" || role === "assistant")
    .map(({ role, content, name }) => ({
      role,
      content: text(content),
      ...(typeof name === "string" && name ? { name } : {}),
    }))
    .filter(({ content }) => content);
}

/**
 * The text without the blocks that the service injects, and the blank line between them and other text: what was
 * injected must not be remembered again.
 */
export function withoutBlocks(given: string): string {
  const following = new Map<string, RegExpExecArray[]>();
  for (const end of [...given.matchAll(END)].reverse()) {
    const own = following.get(end[1]!) ?? [];
    own.push(end);
    following.set(end[1]!, own);
  }
  let [kept, at] = ["", 0];
  for (const start of given.matchAll(START)) {
    const own = following.get(start[1]!) ?? [];
    // The nearest end is the last one here.
    while (own.length > 0 && own.at(-1)!.index < start.index) own.pop();
    const end = own.at(-1);
    if (start.index < at || !end) continue;
    kept += given.slice(at, start.index);
    at = end.index + end[0].length;
    if (!kept && given.startsWith(AFTER, at)) at += AFTER.length;
  }
  if (at < given.length || !kept.endsWith(BEFORE)) return kept + given.slice(at);
  return kept.slice(0, -BEFORE.length);
}

function text(content: unknown): string {
  if (Array.isArray(content)) {
    const parts = content.map((part) => (part as { text?: unknown } | null)?.text);
    return text(parts.filter((part) => typeof part === "string").join("\n"));
  }
  return typeof content === "string" ? withoutBlocks(content).trim() : "";
}
