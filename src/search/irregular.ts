/**
 * English inflections that follow no rule: a stemmer cannot know that `wrote` is `write`. Forms that are more often a
 * word of their own (`ground`, `wound`, `lay`) are left out.
 */

/** Of each group, the base and then its forms. */
const FORMS =
  "arise arose arisen, awake awoke, beat beaten, become became, begin began begun, bend bent, bite bit bitten, " +
  "bleed bled, blow blew blown, break broke broken, bring brought, build built, burn burnt, buy bought, catch caught, " +
  "choose chose chosen, cling clung, come came, creep crept, deal dealt, dig dug, draw drew drawn, dream dreamt, " +
  "drink drank drunk, drive drove driven, eat ate eaten, fall fell fallen, feed fed, feel felt, fight fought, " +
  "find found, flee fled, fly flew flown flies, forbid forbade forbidden, forget forgot forgotten, " +
  "forgive forgave forgiven, freeze froze frozen, get got gotten, give gave given, go went gone, grow grew grown, " +
  "hang hung, hear heard, hide hid hidden, hold held, keep kept, know knew known, lead led, lean leant, leap leapt, " +
  "learn learnt, leave left, lend lent, light lit, lose lost, make made, mean meant, meet met, overwrite overwrote " +
  "overwritten, pay paid, rebuild rebuilt, redo redid redone, resend resent, rewrite rewrote rewritten, " +
  "ride rode ridden, ring rang rung, rise rose risen, run ran, say said, see saw seen, seek sought, sell sold, " +
  "send sent, shake shook shaken, shine shone, shoot shot, show shown, shrink shrank shrunk, sing sang sung, " +
  "sink sank sunk, sit sat, sleep slept, slide slid, speak spoke spoken, speed sped, spend spent, spin spun, " +
  "spring sprang sprung, stand stood, steal stole stolen, stick stuck, sting stung, strike struck, " +
  "swear swore sworn, sweep swept, swim swam swum, swing swung, take took taken, teach taught, tear tore torn, " +
  "tell told, think thought, throw threw thrown, understand understood, undo undid undone, wake woke woken, " +
  "wear wore worn, weave wove woven, win won, withdraw withdrew withdrawn, write wrote written, " +
  "child children, foot feet, half halves, index indices, knife knives, leaf leaves, life lives, man men, " +
  "matrix matrices, mouse mice, person people, tooth teeth, vertex vertices, wife wives, woman women";

/** The base of each irregular form. */
export const BASE_OF: ReadonlyMap<string, string> = new Map(
  FORMS.split(", ").flatMap((group) => {
    const [base = "", ...forms] = group.split(" ");
    return forms.map((form): [string, string] => [form, base]);
  }),
);
