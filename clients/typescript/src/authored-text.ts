/**
 * What people wrote in the messages of a chat, without what hosts, models and tools put there: the same as the Python
 * client's `authored_text.py`, by the same cases. All takes time in proportion to the length of the text.
 */
import type { Message } from "./answer.js";
import { withoutHosts } from "./host-text.js";
import { withoutPastes } from "./pasted-text.js";

const ROLES: Record<string, string> = {
  human: "user",
  user: "user",
  ai: "assistant",
  assistant: "assistant",
  model: "assistant",
  chatbot: "assistant",
  bot: "assistant",
};
const TEXTS = ["text", "input_text", "output_text", "refusal"];
const CALLS = [
  "tool_use", "function_call", "tool_call", "custom_tool_call", "tool-call", "toolCall", "local_shell_call",
];
/** Calls whose results stand in the same message; so do those whose types begin with `tool-`. */
const HOSTED_CALLS = ["server_tool_use", "mcp_tool_use", "server_tool_call", "dynamic-tool"];
const KEYED_CALLS = ["functionCall", "function_call", "toolUse"];
const UNFINISHED = ["incomplete", "in_progress"];
const INTERRUPTED = ["[Request interrupted by user", "<turn_aborted>"];

/** The role, `user` and `assistant` also where a host calls them by other names. */
export function roleOf(message: Message): string {
  const role: unknown = message.role;
  if (typeof role === "string") return ROLES[role.toLowerCase()] ?? role;
  const kind = message["type"];
  if (typeof kind !== "string") return "";
  return kind.endsWith("_output") ? "tool" : CALLS.includes(kind) || kind === "reasoning" ? "assistant" : "";
}

/** The text of a message, part by part on lines of their own, without reasoning, calls, results and files. */
export function textOf(message: Message): string {
  return joined(partsOf(message));
}

/**
 * Whether the message there is a final answer: it says something and waits for no tool, no call follows it as an item of
 * its own, as in the Responses API, and the user did not interrupt it.
 */
export function endsTurn(messages: readonly Message[], place: number): boolean {
  if (!isFinal(messages[place]!)) return false;
  let next = place + 1;
  while (messages[next]?.["type"] === "reasoning") next += 1;
  const following = messages[next];
  if (!following) return true;
  if (CALLS.includes(String(following["type"]))) return false;
  const begins = textOf(following).trimStart();
  return !(roleOf(following) === "user" && INTERRUPTED.some((mark) => begins.startsWith(mark)));
}

/** The text without reasoning and without what a host wrapped around it or put into it; it may be empty. */
export function written(text: string): string {
  return withoutHosts(text);
}

/** What the user wrote: `written`, without what was pasted as a whole; it may be empty. */
export function authored(text: string): string {
  return withoutPastes(written(text));
}

function isFinal(message: Message): boolean {
  if (roleOf(message) !== "assistant" || calls(message["tool_calls"]) || message["function_call"]) return false;
  if (UNFINISHED.includes(String(message["status"])) || CALLS.includes(String(message["type"]))) return false;
  const parts = partsOf(message);
  let saidFrom = 0;
  for (const [place, part] of parts.entries()) {
    if (!isObject(part)) continue;
    const kind = String(part["type"]);
    if (CALLS.includes(kind) || KEYED_CALLS.some((name) => name in part)) return false;
    const isHosted = kind.startsWith("tool-") && kind !== "tool-result";
    if (isHosted || HOSTED_CALLS.includes(kind)) saidFrom = place;
  }
  return written(joined(parts.slice(saidFrom))) !== "";
}

function joined(parts: readonly unknown[]): string {
  return parts.map(partText).filter((text) => text).join("\n");
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}

function calls(value: unknown): boolean {
  return Array.isArray(value) ? value.length > 0 : Boolean(value);
}

function partsOf(message: Message): readonly unknown[] {
  const content = message["content"] ?? message["parts"] ?? message["refusal"];
  return Array.isArray(content) ? content : content === undefined || content === null ? [] : [content];
}

function partText(part: unknown): string {
  if (typeof part === "string") return part;
  if (!isObject(part) || part["thought"] === true) return "";
  const kind = part["type"];
  if (kind !== undefined && kind !== null && !TEXTS.includes(String(kind))) return "";
  const text = kind === "refusal" ? part["refusal"] : part["text"];
  return typeof text === "string" ? text : "";
}
