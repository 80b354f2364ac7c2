/** White space and what shows nothing, as the service reads names: Default_Ignorable_Code_Point and a few more. */
const BLANK =
  /^[\p{White_Space}\p{Cc}\p{Cs}\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}\u2800\ufff9-\ufffb\u{13430}-\u{1343f}\u{16fe4}\u{1d159}]*$/u;
/** White space of Unicode and the four separators of ASCII, which `trim` does not know; it takes U+FEFF instead. */
const ENDS = /^[\p{White_Space}\x1c-\x1f]+|[\p{White_Space}\x1c-\x1f]+$/gu;

/** Whether a name shows nothing. It must not read as no name, which means what all end users share. */
export function isBlank(name: string): boolean {
  return BLANK.test(name);
}

/** The name without white space at its ends, as the service keeps it. */
export function trimmed(name: string): string {
  return name.replace(ENDS, "");
}
