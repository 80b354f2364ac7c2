import type { Added, Message } from "./answer.js";
import { AFTER, BEFORE } from "./conversations.js";

/**
 * The messages with each text where it was added: at the end of a message of the system, so that the provider's cache of
 * the host's own text stays good, and before the first text of a user's message. At -1 it is a new message of the system.
 */
export function withAdded<M extends Message>(messages: readonly M[], added: readonly Added[]): M[] {
  const placed = [...messages];
  for (const { place, text } of added) if (place >= 0) placed[place] = withText(placed[place]!, text);
  const standing = added.filter(({ place }) => place < 0).map(({ text }) => ({ role: "system", content: text }) as M);
  return [...standing, ...placed];
}

function withText<M extends Message>(message: M, text: string): M {
  const { role, content } = message;
  const isSystem = role === "system" || role === "developer";
  if (Array.isArray(content)) {
    const first = isSystem ? -1 : content.findIndex((part) => typeof part?.text === "string");
    return { ...message, content: content.toSpliced(first < 0 ? content.length : first, 0, { type: "text", text }) };
  }
  if (isSystem) return { ...message, content: content ? `${content as string}${BEFORE}${text}` : text };
  return { ...message, content: `${text}${AFTER}${(content as string | undefined) ?? ""}` };
}
