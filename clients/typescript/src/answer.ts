import { isDeepStrictEqual } from "node:util";
import { AFTER, BEFORE, withoutBlocks } from "./conversations.js";
import { explanation } from "./explanations.js";

/** A chat message with any further fields. */
export type Message = { role: string; content?: unknown; [field: string]: unknown };

/**
 * Messages ready to send. `messages` is the very array that was given when nothing was added; `reason` is empty when
 * nothing is missing.
 */
export interface Assembled {
  readonly messages: readonly Message[];
  readonly reason: string;
  /** The reason in words, and what to do. */
  readonly explanation: string;
  /** All text that was added. */
  readonly injected: string;
  readonly added: readonly Added[];
  readonly memoryIds: readonly string[];
  readonly requestId: string;
  readonly metadata: Readonly<Record<string, unknown>>;
}

/** A text that was added to the given message at `place`; -1 is a new system message before all. */
export interface Added {
  readonly place: number;
  readonly text: string;
}

/** That the service adds to one message: the directive and memories. */
const MOST_PARTS = 2;
/** Of the messages that the service may add to. */
const ROLES = ["system", "developer", "user", "human"];
const MARKED_ROLES = ["system", "developer"];

/** The answer is not in the service's format, or is not about these messages. */
export class InvalidAnswer extends Error {}

export function unchanged(messages: readonly Message[], reason: string): Assembled {
  return { messages, reason, explanation: explanation(reason), injected: "", added: [], memoryIds: [], requestId: "", metadata: {} };
}

/** `body` as an answer about `sent`; throws InvalidAnswer when it is none, or changed what was sent. */
export function read(body: unknown, sent: readonly Message[], requestId: string): Assembled {
  const { messages: received, metadata } = fields(body);
  if (!Array.isArray(received)) throw new InvalidAnswer("The answer has no messages.");
  const { fallback_reason: reason, memory_ids: memoryIds } = fields(metadata);
  if (typeof reason !== "string" || !Array.isArray(memoryIds)) throw new InvalidAnswer("The answer has no metadata.");
  const placed = place(received, sent);
  return { ...placed, reason, explanation: explanation(reason), memoryIds, requestId, metadata: fields(metadata) };
}

function place(received: unknown[], sent: readonly Message[]): Pick<Assembled, "messages" | "injected" | "added"> {
  const more = received.length - sent.length;
  if (more < 0 || more > 1) throw new InvalidAnswer("The answer lost or added messages.");
  const texts: Added[] = received.slice(0, more).map((message) => ({ place: -1, text: newText(message) }));
  const messages = sent.map((message, place) => {
    const after = received[place + more];
    if (isDeepStrictEqual(after, message)) return message;
    texts.push({ place, text: added(fields(after) as Message, message) });
    return after as Message;
  });
  if (texts.length === 0) return { messages: sent, injected: "", added: [] };
  const injected = texts.map(({ text }) => text).join("");
  return { messages: [...(received.slice(0, more) as Message[]), ...messages], injected, added: texts };
}

function newText(message: unknown): string {
  const { role, content } = fields(message);
  if (["system", "user"].includes(role as string)) {
    if (typeof content === "string") return content;
    if (Array.isArray(content)) return addedTexts(content);
  }
  throw new InvalidAnswer("The answer added something that is no text.");
}

/** What was added to a message of the system or of a user: to its text, or as one more part. */
function added(after: Message, before: Message): string {
  for (const field of ROLES.includes(before.role) ? ["content", "parts"] : []) {
    const [old, now] = [before[field], after[field]];
    if (isDeepStrictEqual(old, now) || !isDeepStrictEqual({ ...before, [field]: now }, after)) continue;
    if (typeof now === "string" && (typeof old === "string" || old == null)) return addedText(now, old ?? "");
    if (Array.isArray(now) && Array.isArray(old)) return addedPart(now, old);
    // Beside a part with a mark of the provider's cache, a text of the system is a part too.
    if (Array.isArray(now) && (typeof old === "string" || old == null) && MARKED_ROLES.includes(before.role)) return addedPart(now, old ? [{ type: "text", text: old }] : []);
  }
  throw new InvalidAnswer("The answer changed a message.");
}

function addedText(now: string, old: string): string {
  if (old && now.startsWith(old + BEFORE)) return now.slice(old.length + BEFORE.length);
  if (now.endsWith(AFTER + old)) return now.slice(0, now.length - AFTER.length - old.length);
  throw new InvalidAnswer("The answer changed a text.");
}

/** The text of the added parts: the directive and the memories may be one each. */
function addedPart(now: unknown[], old: unknown[]): string {
  const at = now.findIndex((part, place) => !isDeepStrictEqual(part, old[place]));
  const count = now.length - old.length;
  const text = addedTexts(now.slice(at, at + Math.max(count, 0)));
  if (!isDeepStrictEqual(now.toSpliced(at, count), old)) {
    throw new InvalidAnswer("The answer changed the parts of a message.");
  }
  return old.length > 0 || !text.endsWith(AFTER) ? text : text.slice(0, -AFTER.length);
}

function addedTexts(parts: unknown[]): string {
  const texts = parts.map((part) => (typeof part === "string" ? part : (part as { text?: unknown } | null | undefined)?.text));
  const isText = texts.length >= 1 && texts.length <= MOST_PARTS && texts.every((text) => typeof text === "string");
  // Two are blocks both: a copy of the user's own part is none.
  const isBlocks = texts.length < 2 || texts.every((text) => !withoutBlocks(String(text)));
  if (!isText || !isBlocks) throw new InvalidAnswer("The answer changed the parts of a message.");
  return texts.join("");
}

export function fields(value: unknown): Record<string, unknown> {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw new InvalidAnswer("The answer has another shape.");
  }
  return value as Record<string, unknown>;
}
