/**
 * English inflections folded: irregular forms by a list, the others by the Porter stemmer (M. F. Porter, 1980), as
 * published. A word of other letters than a to z, and one of up to two letters, is its own stem.
 */
import { BASE_OF } from "./irregular.ts";

const C = "[^aeiou]"; // consonant
const V = "[aeiouy]"; // vowel
const CC = `${C}[^aeiouy]*`; // consonant sequence
const VV = `${V}[aeiou]*`; // vowel sequence

/** More than 0, exactly 1, more than 1 vowel-consonant sequences; a vowel in the stem. */
const M_GT_0 = new RegExp(`^(${CC})?${VV}${CC}`);
const M_EQ_1 = new RegExp(`^(${CC})?${VV}${CC}(${VV})?$`);
const M_GT_1 = new RegExp(`^(${CC})?${VV}${CC}${VV}${CC}`);
const HAS_VOWEL = new RegExp(`^(${CC})?${V}`);
const ENDS_CVC = new RegExp(`^${CC}${V}[^aeiouwxy]$`);
const ENGLISH = /^[a-z]{3,}$/;

const STEP_2: readonly (readonly [string, string])[] = [
  ["ational", "ate"],
  ["tional", "tion"],
  ["enci", "ence"],
  ["anci", "ance"],
  ["izer", "ize"],
  ["bli", "ble"],
  ["alli", "al"],
  ["entli", "ent"],
  ["eli", "e"],
  ["ousli", "ous"],
  ["ization", "ize"],
  ["ation", "ate"],
  ["ator", "ate"],
  ["alism", "al"],
  ["iveness", "ive"],
  ["fulness", "ful"],
  ["ousness", "ous"],
  ["aliti", "al"],
  ["iviti", "ive"],
  ["biliti", "ble"],
  ["logi", "log"],
];

const STEP_3: readonly (readonly [string, string])[] = [
  ["icate", "ic"],
  ["ative", ""],
  ["alize", "al"],
  ["iciti", "ic"],
  ["ical", "ic"],
  ["ful", ""],
  ["ness", ""],
];

const STEP_4 =
  /^(.+?)(al|ance|ence|er|ic|able|ible|ant|ement|ment|ent|ou|ism|ate|iti|ous|ive|ize)$|^(.+?[st])(ion)$/;

/** The stem of a folded word: the same for all its inflections. */
export function stemOf(word: string): string {
  return ENGLISH.test(word) ? regularStemOf(BASE_OF.get(word) ?? word) : word;
}

/** The irregular forms that have this stem. */
export function irregularFormsOf(stem: string): readonly string[] {
  return formsByStem.get(stem) ?? [];
}

function regularStemOf(word: string): string {
  if (word.length < 3) return word; // the base of `went`
  // An initial y is a consonant; everywhere else the classes above treat it by what precedes it.
  let stem = word.startsWith("y") ? `Y${word.slice(1)}` : word;

  if (/(?:ss|i)es$/.test(stem)) stem = stem.slice(0, -2);
  else if (/[^s]s$/.test(stem)) stem = stem.slice(0, -1);

  if (stem.endsWith("eed")) {
    if (M_GT_0.test(stem.slice(0, -3))) stem = stem.slice(0, -1);
  } else {
    const before = /^(.+?)(?:ed|ing)$/.exec(stem)?.[1];
    if (before !== undefined && HAS_VOWEL.test(before)) {
      if (/(?:at|bl|iz)$/.test(before)) stem = `${before}e`;
      else if (/([^aeiouylsz])\1$/.test(before)) stem = before.slice(0, -1);
      else stem = ENDS_CVC.test(before) ? `${before}e` : before;
    }
  }

  if (stem.endsWith("y") && HAS_VOWEL.test(stem.slice(0, -1))) stem = `${stem.slice(0, -1)}i`;
  stem = replaceSuffix(stem, STEP_2);
  stem = replaceSuffix(stem, STEP_3);

  const step4 = STEP_4.exec(stem);
  const before4 = step4?.[1] ?? step4?.[3];
  if (before4 !== undefined && M_GT_1.test(before4)) stem = before4;

  if (stem.endsWith("e")) {
    const before = stem.slice(0, -1);
    if (M_GT_1.test(before) || (M_EQ_1.test(before) && !ENDS_CVC.test(before))) stem = before;
  }
  if (stem.endsWith("ll") && M_GT_1.test(stem)) stem = stem.slice(0, -1);
  return stem.toLowerCase();
}

/** The first suffix that fits decides, the longest first; it is replaced when a syllable is left before it. */
function replaceSuffix(stem: string, rules: readonly (readonly [string, string])[]): string {
  for (const [suffix, replacement] of rules) {
    if (!stem.endsWith(suffix)) continue;
    const before = stem.slice(0, -suffix.length);
    return M_GT_0.test(before) ? before + replacement : stem;
  }
  return stem;
}

const formsByStem = new Map<string, string[]>();
for (const [form, base] of BASE_OF) {
  const stem = regularStemOf(base);
  formsByStem.set(stem, [...(formsByStem.get(stem) ?? []), form]);
}
