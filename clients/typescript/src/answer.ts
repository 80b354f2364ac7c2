import { isDeepStrictEqual } from "node:util";

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
  const added = received.length - sent.length;
  if (added < 0 || added > 1) throw new InvalidAnswer("The answer lost or added messages.");
  if (added === 0 && first < 0) return { messages: sent, injected: "" };
  if (!isDeepStrictEqual(received.slice(at + 1), sent.slice(added === 1 ? at : at + 1))) {
    throw new InvalidAnswer("The answer changed the messages.");
  }
  const message = fields(received[at]) as Message;
  if (added === 1) {
    if (!["system", "user"].includes(message.role) || typeof message.content !== "string") {
      throw new InvalidAnswer("The answer added something that is no text.");
    }
    return { messages: [...sent.slice(0, at), message, ...sent.slice(at)], injected: message.content };
  }
  const injected = appended(message, sent[at] as Message);
  return { messages: [...sent.slice(0, at), message, ...sent.slice(at + 1)], injected };
}

/** What was added to the end of a system message. */
function appended(after: Message, before: Message): string {
  const [old, now] = [before.content, after.content];
  if (before.role === "system" && isDeepStrictEqual({ ...before, content: now }, after)) {
    if (typeof now === "string" && (!old || (typeof old === "string" && now.startsWith(old)))) {
      return now.slice(typeof old === "string" ? old.length : 0).replace(/^\n+/, "");
    }
    if (Array.isArray(now) && Array.isArray(old) && isDeepStrictEqual(now.slice(0, -1), old)) {
      const { text } = fields(now.at(-1));
      if (typeof text === "string") return text;
    }
  }
  throw new InvalidAnswer("The answer changed a message.");
}

export function fields(value: unknown): Record<string, unknown> {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw new InvalidAnswer("The answer has another shape.");
  }
  return value as Record<string, unknown>;
}
