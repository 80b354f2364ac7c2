import { isDeepStrictEqual } from "node:util";
import { AFTER, BEFORE } from "./conversations.js";

/** A chat message with any further fields. */
export type Message = { role: string; content?: unknown; [field: string]: unknown };

/**
 * Messages ready to send. `messages` is the very array that was given when nothing was added; `reason` is empty when
 * nothing is missing.
 */
export interface Assembled {
  readonly messages: readonly Message[];
  readonly reason: string;
  readonly injected: string;
  readonly memoryIds: readonly string[];
  readonly requestId: string;
  readonly metadata: Readonly<Record<string, unknown>>;
}

/** Of the messages that the service may add to. */
const ROLES = ["system", "developer", "user", "human"];

/** The answer is not in the service's format, or is not about these messages. */
export class InvalidAnswer extends Error {}

export function unchanged(messages: readonly Message[], reason: string): Assembled {
  return { messages, reason, injected: "", memoryIds: [], requestId: "", metadata: {} };
}

/** `body` as an answer about `sent`; throws InvalidAnswer when it is none, or changed what was sent. */
export function read(body: unknown, sent: readonly Message[], requestId: string): Assembled {
  const { messages: received, metadata } = fields(body);
  if (!Array.isArray(received)) throw new InvalidAnswer("The answer has no messages.");
  const { fallback_reason: reason, memory_ids: memoryIds } = fields(metadata);
  if (typeof reason !== "string" || !Array.isArray(memoryIds)) throw new InvalidAnswer("The answer has no metadata.");
  const placed = place(received, sent);
  return { ...placed, reason, memoryIds, requestId, metadata: fields(metadata) };
}

function place(received: unknown[], sent: readonly Message[]): { messages: readonly Message[]; injected: string } {
  const first = sent.findIndex((message, at) => !isDeepStrictEqual(received[at], message));
  const at = first < 0 ? sent.length : first;
  const more = received.length - sent.length;
  if (more < 0 || more > 1) throw new InvalidAnswer("The answer lost or added messages.");
  if (more === 0 && first < 0) return { messages: sent, injected: "" };
  if (!isDeepStrictEqual(received.slice(at + 1), sent.slice(more === 1 ? at : at + 1))) {
    throw new InvalidAnswer("The answer changed the messages.");
  }
  const message = fields(received[at]) as Message;
  if (more === 1) {
    if (!["system", "user"].includes(message.role) || typeof message.content !== "string") {
      throw new InvalidAnswer("The answer added something that is no text.");
    }
    return { messages: [...sent.slice(0, at), message, ...sent.slice(at)], injected: message.content };
  }
  const injected = added(message, sent[at] as Message);
  return { messages: [...sent.slice(0, at), message, ...sent.slice(at + 1)], injected };
}

/** What was added to a message of the system or of a user: to its text, or as one more part. */
function added(after: Message, before: Message): string {
  for (const field of ROLES.includes(before.role) ? ["content", "parts"] : []) {
    const [old, now] = [before[field], after[field]];
    if (isDeepStrictEqual(old, now) || !isDeepStrictEqual({ ...before, [field]: now }, after)) continue;
    if (typeof now === "string" && (typeof old === "string" || old == null)) return addedText(now, old ?? "");
    if (Array.isArray(now) && Array.isArray(old)) return addedPart(now, old);
  }
  throw new InvalidAnswer("The answer changed a message.");
}

function addedText(now: string, old: string): string {
  if (old && now.startsWith(old + BEFORE)) return now.slice(old.length + BEFORE.length);
  if (now.endsWith(AFTER + old)) return now.slice(0, now.length - AFTER.length - old.length);
  throw new InvalidAnswer("The answer changed a text.");
}

function addedPart(now: unknown[], old: unknown[]): string {
  const at = now.findIndex((part, place) => !isDeepStrictEqual(part, old[place]));
  const part = now[at];
  const text = typeof part === "string" ? part : (part as { text?: unknown } | null | undefined)?.text;
  if (typeof text !== "string" || !isDeepStrictEqual(now.toSpliced(at, 1), old)) {
    throw new InvalidAnswer("The answer changed the parts of a message.");
  }
  return old.length > 0 || !text.endsWith(AFTER) ? text : text.slice(0, -AFTER.length);
}

export function fields(value: unknown): Record<string, unknown> {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw new InvalidAnswer("The answer has another shape.");
  }
  return value as Record<string, unknown>;
}
