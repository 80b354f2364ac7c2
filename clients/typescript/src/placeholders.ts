import { randomUUID } from "node:crypto";
import type { Assembled, Message } from "./answer.js";

const LIGHT = 1_000;
const DATA_URL = new RegExp(`data:[^,;\\s]{1,100}(?:;[^,;\\s]{1,100}){0,4};base64,[A-Za-z0-9+/=_-]{${LIGHT},}`, "g");
const ENCODED = /^[A-Za-z0-9+/_=-]+$/;

/**
 * Leaves pictures, files and sounds out of what is sent to the service, which never reads them, and puts them back. What
 * stands for them keeps the kind of its part. `sent` is the given array itself where nothing is left out.
 */
export class Placeholders {
  readonly sent: readonly Message[];
  private readonly name = `remembrancer-${randomUUID()}-`;
  private readonly kept: string[] = [];

  constructor(private readonly messages: readonly Message[]) {
    const lighter = messages.map((message) => mapped(message, (text) => this.shorter(text)) as Message);
    this.sent = this.kept.length > 0 ? lighter : messages;
  }

  /** The answer about `sent` as one about the given messages: the same objects, and in others all that was left out. */
  restored(answer: Assembled): Assembled {
    if (this.kept.length === 0) return answer;
    if (answer.messages === this.sent) return { ...answer, messages: this.messages };
    const own = new Map(this.sent.map((message, place) => [message, this.messages[place]!]));
    const whole = (message: Message) => own.get(message) ?? (mapped(message, (text) => this.whole(text)) as Message);
    return { ...answer, messages: answer.messages.map(whole) };
  }

  private shorter(text: string): string {
    if (text.length <= LIGHT) return text;
    if (ENCODED.test(text)) return this.keep(text);
    return text.includes(";base64,") ? text.replace(DATA_URL, (found) => this.keep(found)) : text;
  }

  private keep(text: string): string {
    return `${this.name}${this.kept.push(text) - 1}.`;
  }

  private whole(text: string): string {
    if (!text.includes(this.name)) return text;
    return text.replace(new RegExp(`${this.name}(\\d+)\\.`, "g"), (_, number: string) => this.kept[Number(number)]!);
  }
}

const DEEPEST = 10;
/* Pictures and files stand at most seven levels deep; a message that contains itself has no end. */

/** The value with its changed strings; the same object where none has changed. */
function mapped(value: unknown, change: (text: string) => string, depth = 0): unknown {
  if (typeof value === "string") return change(value);
  if (depth > DEEPEST) return value;
  if (Array.isArray(value)) {
    const items = value.map((item) => mapped(item, change, depth + 1));
    return items.every((item, place) => item === value[place]) ? value : items;
  }
  if (typeof value === "object" && value !== null) {
    const entries = Object.entries(value as Record<string, unknown>);
    const changed = entries.map(([name, item]) => [name, mapped(item, change, depth + 1)] as const);
    return changed.every(([, item], place) => item === entries[place]![1]) ? value : Object.fromEntries(changed);
  }
  return value;
}
