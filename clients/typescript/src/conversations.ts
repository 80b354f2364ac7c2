import { createHmac } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import type { Message } from "./answer.js";
import { authored, endsTurn, roleOf, textOf, written } from "./authored-text.js";
import { trimmed } from "./end-users.js";
import { FIELDS, inIso, saidAt } from "./message-times.js";
import { textWithoutData, withoutData } from "./placeholders.js";

export type Said = {
  role: string;
  content: string;
  name?: string;
  timestamp?: string;
};

/** What the service puts into a string before and after its blocks, which end with a line end. */
export const [BEFORE, AFTER] = ["\n\n", "\n"];
const START = /<((?:directive|pinned|memories)-\d{6,12})>\n/g;
const END = /<\/((?:directive|pinned|memories)-\d{6,12})>\n?/g;

/**
 * Role, text, name and time of each message of an end user or assistant, as far as they wrote it themselves. Left out
 * are injected blocks, what hosts, models and tools put into a chat, pasted logs and code, pictures and files, messages
 * of other roles, and times that cannot be read.
 */
export function spoken(messages: readonly Message[]): Said[] {
  return messages.flatMap((_, place) => said(messages, place));
}

/**
 * What the user said since the last final answer, with the answer; empty if one of them has no text. `messages` end
 * before the answer.
 */
export function turn(messages: readonly Message[], answer: string): Said[] {
  const asked = sinceLastAnswer(messages).flatMap((place) => said(messages, place));
  const content = answerText(answer);
  return asked.length > 0 && content ? [...asked, { role: "assistant", content }] : [];
}

/**
 * A session for a client that names none but sends the whole conversation each time: the same for all its turns. A
 * keyed hash of the first message of the end user and the first answer, so that it tells nothing of them.
 */
export function session(messages: readonly Message[], answer: string, key: string | Uint8Array): string {
  const all: Said[] = [...spoken(messages), { role: "assistant", content: answerText(answer) }];
  const first = Math.max(all.findIndex(({ role }) => role === "user"), 0);
  const answered = all.slice(first).find(({ role }) => role === "assistant")!;
  const [opening, reply] = [all[first]!, answered].map(({ content }) =>
    content.split(/[\p{White_Space}\x1c-\x1f]+/u).filter(Boolean).join(" ").replace(/\p{Cs}/gu, "?"),
  );
  return `opening-${createHmac("sha256", key).update(`${opening}\0${reply}`).digest("hex").slice(0, 32)}`;
}

/**
 * A session for assembly where the host names none: the same for each request of a conversation that sends its beginning
 * again. Undefined where the first message of the user has no text.
 *
 * A keyed hash of the agent, the end user, and the texts of the system before the first message of the user and of that
 * message. So conversations of one end user that begin with the same words share a session.
 */
export function derivedSession(
  messages: readonly Message[],
  { agentId = "", userId = "", key }: { agentId?: string; userId?: string; key: string | Uint8Array },
): string | undefined {
  const first = messages.findIndex((message) => roleOf(message) === "user");
  const roles = ["system", "developer", "user"];
  const opening = messages.slice(0, first + 1).filter((message) => roles.includes(roleOf(message)));
  const texts = opening.map((message) => textWithoutData(withoutBlocks(textOf(message))));
  if (!texts.at(-1)) return undefined;
  const hash = createHmac("sha256", key);
  for (const text of [agentId, trimmed(userId.normalize("NFC")), ...texts]) {
    // With the number of texts' bytes, so that none can end in another.
    const encoded = Buffer.from(text.replace(/\p{Cs}/gu, "?"));
    hash.update(`${encoded.length}:`).update(encoded);
  }
  return `derived-${hash.digest("hex").slice(0, 32)}`;
}

/**
 * The messages for `POST /v1/conversations`, without pictures, files and sounds, which the service never reads, in their
 * texts too; times are in ISO 8601.
 */
export function sendable(messages: readonly Message[]): Message[] {
  return withoutData(messages.map(withTimes));
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

/**
 * The conversation before assembly: the messages without the service's blocks, and without the message that the service
 * adds to a conversation without a system message. Messages without blocks are the same objects.
 */
export function withoutInjected(messages: readonly Message[]): Message[] {
  return messages.filter((message) => !isAdded(message)).map(cleaned);
}

/** Whether the message has blocks and nothing else. In a client's own empty message, AFTER follows them. */
function isAdded({ content }: Message): boolean {
  const parts: unknown[] = Array.isArray(content) ? content : [content];
  return parts.length > 0 && parts.every((part) => isBlock(part) && !partText(part)!.endsWith(`\n${AFTER}`));
}

function cleaned(message: Message): Message {
  const changed = ["content", "parts"].flatMap((field) => {
    const after = Array.isArray(message[field])
      ? message[field].filter((part) => !isBlock(part)).map(cleanedPart)
      : cleanedPart(message[field]);
    return isDeepStrictEqual(after, message[field]) ? [] : [[field, after]];
  });
  return changed.length > 0 ? { ...message, ...Object.fromEntries(changed) } : message;
}

function cleanedPart(part: unknown): unknown {
  const text = partText(part);
  if (text === undefined) return part;
  return typeof part === "string" ? withoutBlocks(text) : { ...(part as object), text: withoutBlocks(text) };
}

function isBlock(part: unknown): boolean {
  const text = partText(part);
  return text !== undefined && text !== "" && withoutBlocks(text) === "";
}

function partText(part: unknown): string | undefined {
  const text = typeof part === "object" && part !== null ? (part as { text?: unknown }).text : part;
  return typeof text === "string" ? text : undefined;
}

/** The positions of the user's messages since the last final answer; an answer that stands last ends no turn yet. */
function sinceLastAnswer(messages: readonly Message[]): number[] {
  const found: number[] = [];
  let isBegun = false;
  for (let place = messages.length - 1; place >= 0; place--) {
    const message = messages[place]!;
    if (roleOf(message) === "user") {
      isBegun = true;
      if (written(textOf(message))) found.unshift(place);
    } else if (isBegun && endsTurn(messages, place)) {
      break;
    }
  }
  return found;
}

/** What `spoken` has of the message there: one item, or none. */
function said(messages: readonly Message[], place: number): Said[] {
  const message = messages[place]!;
  const role = roleOf(message);
  if (role !== "user" && !endsTurn(messages, place)) return [];
  const text = textWithoutData(withoutBlocks(textOf(message)));
  const content = role === "user" ? authored(text) : written(text);
  if (!content) return [];
  const { name } = message;
  const timestamp = saidAt(message);
  return [{ role, content, ...(typeof name === "string" && name ? { name } : {}), ...(timestamp ? { timestamp } : {}) }];
}

function answerText(answer: string): string {
  return written(textWithoutData(withoutBlocks(answer)));
}

function withTimes(message: Message): Message {
  const times = FIELDS.filter((name) => message?.[name] instanceof Date).map((name) => [name, inIso(message[name])]);
  return times.length > 0 ? { ...message, ...Object.fromEntries(times) } : message;
}
