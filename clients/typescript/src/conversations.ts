import type { Message } from "./answer.js";
import { authored, endsTurn, roleOf, textOf, written } from "./authored-text.js";

export interface Said {
  role: string;
  content: string;
  name?: string;
}

/** What the service puts into a string before and after its blocks, which end with a line end. */
export const [BEFORE, AFTER] = ["\n\n", "\n"];
const START = /<((?:directive|memories)-\d{6,12})>\n/g;
const END = /<\/((?:directive|memories)-\d{6,12})>\n?/g;

/**
 * Role, text and name of each message of an end user or assistant, as far as they wrote it themselves. Left out are
 * injected blocks, what hosts, models and tools put into a chat, pasted logs and code, and messages of other roles.
 */
export function spoken(messages: readonly Message[]): Said[] {
  return messages.flatMap((message, place) => {
    const role = roleOf(message);
    const content = said(messages, place, role);
    const { name } = message;
    return content ? [{ role, content, ...(typeof name === "string" && name ? { name } : {}) }] : [];
  });
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

function said(messages: readonly Message[], place: number, role: string): string {
  const text = withoutBlocks(textOf(messages[place]!));
  if (role === "user") return authored(text);
  return role === "assistant" && endsTurn(messages, place) ? written(text) : "";
}
