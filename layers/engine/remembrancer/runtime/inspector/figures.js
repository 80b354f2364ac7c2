/** Numbers, times and differences of texts, as a person reads them. */

const WHOLE = new Intl.NumberFormat("en");
const DAY = 86_400_000;

/** @param {number} value */
export function whole(value) {
  return WHOLE.format(value);
}

/** @param {number} value */
export function milliseconds(value) {
  return `${value >= 100 ? whole(Math.round(value)) : value.toFixed(1)} ms`;
}

/**
 * How long ago, in one unit; a future moment is "in 3 days".
 * @param {string | null} moment ISO 8601
 */
export function ago(moment) {
  if (!moment) return "never";
  const passed = Date.now() - Date.parse(moment);
  const size = Math.abs(passed);
  const [number, unit] =
    size < 60_000 ? [0, "second"]
    : size < 3_600_000 ? [size / 60_000, "minute"]
    : size < DAY ? [size / 3_600_000, "hour"]
    : size < 60 * DAY ? [size / DAY, "day"]
    : size < 730 * DAY ? [size / (30.44 * DAY), "month"]
    : [size / (365.25 * DAY), "year"];
  if (unit === "second") return "just now";
  const rounded = Math.max(Math.round(/** @type {number} */ (number)), 1);
  const text = `${rounded} ${unit}${rounded > 1 ? "s" : ""}`;
  return passed < 0 ? `in ${text}` : `${text} ago`;
}

/**
 * Day and time in the reader's zone.
 * @param {string | null} moment
 */
export function moment(moment) {
  if (!moment) return "–";
  return new Date(moment).toLocaleString("en-GB", { dateStyle: "medium", timeStyle: "short" });
}

/**
 * The beginning of a text, in whole characters.
 * @param {string} text
 * @param {number} most
 */
export function shortened(text, most) {
  const characters = [...text.slice(0, most * 2)];
  return characters.length > most ? `${characters.slice(0, most - 1).join("")}…` : text;
}

/**
 * The words of two texts in order, each marked as kept, removed or added. Long texts are compared as a whole.
 * @param {string} before
 * @param {string} after
 * @returns {Array<["kept" | "removed" | "added", string]>}
 */
export function difference(before, after) {
  const [old, now] = [before.split(/(?<=\s)/), after.split(/(?<=\s)/)];
  if (old.length * now.length > 250_000) return [["removed", before], ["added", after]];
  const lengths = Array.from({ length: old.length + 1 }, () => new Uint16Array(now.length + 1));
  for (let i = old.length - 1; i >= 0; i--) {
    for (let j = now.length - 1; j >= 0; j--) {
      lengths[i][j] = old[i].trim() === now[j].trim() ? lengths[i + 1][j + 1] + 1 : Math.max(lengths[i + 1][j], lengths[i][j + 1]);
    }
  }
  /** @type {Array<["kept" | "removed" | "added", string]>} */
  const parts = [];
  const add = (/** @type {"kept" | "removed" | "added"} */ kind, /** @type {string} */ text) => {
    const last = parts.at(-1);
    if (last && last[0] === kind) last[1] += text;
    else parts.push([kind, text]);
  };
  let [i, j] = [0, 0];
  while (i < old.length || j < now.length) {
    if (i < old.length && j < now.length && old[i].trim() === now[j].trim()) {
      add("kept", now[j++]);
      i++;
    } else if (i < old.length && (j >= now.length || lengths[i + 1][j] >= lengths[i][j + 1])) {
      add("removed", old[i++]);
    } else {
      add("added", now[j++]);
    }
  }
  return parts;
}
