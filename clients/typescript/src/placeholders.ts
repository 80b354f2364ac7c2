import { randomUUID } from "node:crypto";
import { types } from "node:util";
import type { Assembled, Message } from "./answer.js";

/** Characters of data that are sent as they are. */
const LIGHT = 1_000;
/** Types of parts and of what is in them that hold a file, or what only a provider can read. */
const FILE_TYPES = words(`
  image image_url image_file input_image file file_url input_file document document_url audio audio_url input_audio
  video video_url input_video media container_upload computer_screenshot image_generation_call redacted_thinking
  base64`);
/** Fields that hold such data in a part or message of any type. */
const FILE_FIELDS = words(`
  image_url input_image images image_bytes imageBytes inline_data inlineData audio input_audio audio_url video_url
  document_url input_file file_data fileData file_url blob bytes base64 b64_json encrypted_content signature
  thought_signature thoughtSignature`);
/** Where people's texts stand: a data URL there is a part of a text. */
const TEXT_FIELDS = words("content parts text");
const DATA_URL = /data:[^,\s]{0,200},/;
const BEGINS_DATA_URL = /^data:[^,\s]{0,200},/;
/** Visible ASCII without quotes and brackets, which end a URL in a text. */
const URL_CHARACTERS = "!#-&*-;=?-~";
const IN_TEXT = new RegExp(`(?<![${URL_CHARACTERS}])[${URL_CHARACTERS}]{${LIGHT},}`, "g");
const ENCODED = /^[A-Za-z0-9+/_=-]+$/;
/** The service refuses more than 32 levels. */
const DEEPEST = 64;

/** Takes what is left out; returns what stands for it. */
type Keep = (value: unknown) => string;

interface Place {
  isFile: boolean;
  isText: boolean;
  depth: number;
}

/**
 * Leaves pictures, files and sounds out of what is sent to the service, which never reads them, and puts them back. What
 * stands for them keeps the kind of its part. `sent` is the given array itself where nothing is left out. The service
 * searches with texts, so data in them is left out with `inTexts` only.
 */
export class Placeholders {
  readonly sent: readonly Message[];
  private readonly name = `remembrancer-${randomUUID()}-`;
  private readonly kept: unknown[] = [];

  constructor(private readonly messages: readonly Message[], inTexts = false) {
    const keep: Keep = (value) => `${this.name}${this.kept.push(value) - 1}.`;
    const lighter = new Walk(keep, inTexts ? keep : undefined).lighter(messages);
    this.sent = lighter.every((message, place) => message === messages[place]) ? messages : lighter;
  }

  /**
   * The answer about `sent` as one about the given messages: the same objects, and in others all that was left out.
   * Throws TypeError where the service added text to what is no text.
   */
  restored(answer: Assembled): Assembled {
    if (this.sent === this.messages) return answer;
    if (answer.messages === this.sent) return { ...answer, messages: this.messages };
    const own = new Map(this.sent.map((message, place) => [message, this.messages[place]!]));
    return { ...answer, messages: answer.messages.map((message) => own.get(message) ?? (this.whole(message) as Message)) };
  }

  private whole(value: unknown): unknown {
    if (typeof value === "string") return value.includes(this.name) ? this.wholeText(value) : value;
    if (Array.isArray(value)) return value.map((item) => this.whole(item));
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, this.whole(item)]));
  }

  private wholeText(text: string): unknown {
    const alone = new RegExp(`^${this.name}(\\d+)\\.$`).exec(text);
    if (alone) return this.kept[Number(alone[1])];
    return text.replace(new RegExp(`${this.name}(\\d+)\\.`, "g"), (_, number: string) => {
      const value = this.kept[Number(number)];
      if (typeof value !== "string") throw new TypeError("The answer added text to what is no text.");
      return value;
    });
  }
}

/** The messages without pictures, files and sounds, in their texts too; their parts stay, of the same type. */
export function withoutData(messages: readonly Message[]): Message[] {
  return new Walk(() => "", () => "").lighter(messages);
}

/** The text without long data URLs and other encoded data. */
export function textWithoutData(text: string): string {
  return inText(text, () => "");
}

/** One pass over messages; each value is looked at once, so that one that contains itself has an end too. */
class Walk {
  private readonly seen = [0, 1, 2, 3].map(() => new Map<object, unknown>());

  constructor(
    private readonly keep: Keep,
    private readonly keepInTexts: Keep | undefined,
  ) {}

  /** The messages without what is left out; the same objects where nothing is. */
  lighter(messages: readonly Message[]): Message[] {
    return messages.map((message) => this.value(message, { isFile: false, isText: false, depth: 0 }) as Message);
  }

  private value(value: unknown, at: Place): unknown {
    if (typeof value === "string") return this.text(value, at);
    if (typeof value === "bigint" || (typeof value === "number" && !Number.isFinite(value))) return this.keep(value);
    if (typeof value !== "object" || value === null) return value;
    if (at.depth > 0 && isNoJson(value)) return this.keep(value);
    const seen = this.seen[Number(at.isFile) * 2 + Number(at.isText)]!;
    if (at.depth > DEEPEST || seen.has(value)) return seen.get(value) ?? value;
    seen.set(value, value);
    const lighter = Array.isArray(value) ? this.items(value, at) : this.fields(value as Record<string, unknown>, at);
    seen.set(value, lighter);
    return lighter;
  }

  /** As JSON has them: null for an item that is undefined. */
  private items(items: unknown[], at: Place): unknown[] {
    const lighter = items.map((item) => this.value(item ?? null, { ...at, depth: at.depth + 1 }));
    return lighter.every((item, place) => item === items[place]) ? items : lighter;
  }

  /** As JSON has them: without fields that are undefined or functions, in a plain object. */
  private fields(value: Record<string, unknown>, { isFile, depth }: Place): Record<string, unknown> {
    const holdsFile = isFile || FILE_TYPES.has(value["type"]);
    const entries = Object.entries(value);
    const lighter = entries
      .filter(([, item]) => item !== undefined && typeof item !== "function" && typeof item !== "symbol")
      .map(([name, item]) => {
        const inFile = (holdsFile || FILE_FIELDS.has(name)) && name !== "text";
        return [name, this.value(item, { isFile: inFile, isText: TEXT_FIELDS.has(name), depth: depth + 1 })] as const;
      });
    const isSame = lighter.length === entries.length && lighter.every(([, item], place) => item === entries[place]![1]);
    return isSame && Object.getPrototypeOf(value) === Object.prototype ? value : Object.fromEntries(lighter);
  }

  private text(text: string, { isFile, isText }: Place): string {
    if (text.length <= LIGHT) return text;
    if (isFile || (!isText && BEGINS_DATA_URL.test(text))) return this.keep(text);
    return this.keepInTexts ? inText(text, this.keepInTexts) : text;
  }
}

function inText(text: string, keep: Keep): string {
  if (text.length <= LIGHT) return text;
  return text.replace(IN_TEXT, (run) => {
    const start = run.search(DATA_URL);
    if (start >= 0 && run.length - start > LIGHT) return run.slice(0, start) + keep(run.slice(start));
    return run.length > LIGHT && ENCODED.test(run) ? keep(run) : run;
  });
}

/** Whether JSON would have something else in its place: bytes, files, times, addresses, maps. */
function isNoJson(value: object): boolean {
  if (ArrayBuffer.isView(value) || types.isAnyArrayBuffer(value) || value instanceof Blob) return true;
  return types.isMap(value) || types.isSet(value) || typeof (value as { toJSON?: unknown }).toJSON === "function";
}

function words(text: string): ReadonlySet<unknown> {
  return new Set(text.trim().split(/\s+/));
}
