/** The fields in which hosts and frameworks keep when a message was said, as the service reads them, in its order. */
export const FIELDS = ["timestamp", "created_at", "createdAt", "time", "date"] as const;
const ISO = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:[.,]\d{1,9})?)?)(Z|[+-]\d\d:?\d\d)?)?$/i;
const LATEST = Date.UTC(9000, 0, 1);
const NUMBERS_BELOW = 1e14;
const MILLISECONDS_FROM = 1e11;

/** The first time of the message that can be read, in ISO 8601 and UTC; the service refuses others. */
export function saidAt(message: Readonly<Record<string, unknown>>): string | undefined {
  return FIELDS.map((name) => inIso(message[name])).find((moment) => moment !== undefined);
}

/** From ISO 8601, a Date, or seconds or milliseconds since 1970; without an offset it is UTC. */
export function inIso(value: unknown): string | undefined {
  const ms = value instanceof Date ? value.getTime() : typeof value === "string" ? ofText(value.trim()) : ofNumber(value);
  return Number.isNaN(ms) || ms > LATEST ? undefined : new Date(ms).toISOString();
}

function ofText(text: string): number {
  const [, day, time = "00:00", zone = "Z"] = ISO.exec(text) ?? [];
  if (day === undefined) return NaN;
  const midnight = new Date(`${day}T00:00Z`);
  // JavaScript takes 30 February for a day of March.
  if (Number.isNaN(midnight.getTime()) || midnight.toISOString().slice(0, 10) !== day) return NaN;
  const offset = zone.toUpperCase().replace(/^([+-]\d\d)(\d\d)$/, "$1:$2");
  return new Date(`${day}T${time.replace(",", ".")}${offset}`).getTime();
}

function ofNumber(value: unknown): number {
  if (typeof value !== "number" || !(value >= 0 && value < NUMBERS_BELOW)) return NaN;
  return value >= MILLISECONDS_FROM ? value : value * 1000;
}
