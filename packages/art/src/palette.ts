/** Colours of a ground: lit at the top left, deep at the bottom right, a light tint and a dark shade for details. */
export interface Family {
  lit: string
  deep: string
  tint: string
  shade: string
}

const family = (lit: string, deep: string, tint: string, shade: string): Family => ({ lit, deep, tint, shade })

/** The grounds of all drawn pictures. White text has at least 4.5:1 on the deep half, and large white shapes 3:1 everywhere. */
export const FAMILIES = {
  green: family('#1f9a63', '#0a5348', '#a9f0c9', '#06372f'),
  orange: family('#e0662a', '#96290d', '#ffd3ad', '#5f1706'),
  ice: family('#3b8fe0', '#1b468f', '#bfe2ff', '#0f2a5c'),
  indigo: family('#5a68e6', '#2a2783', '#cdd2ff', '#191655'),
  teal: family('#1b8fa3', '#0f4b69', '#aef0f2', '#092f43'),
  amber: family('#c77a12', '#7f3d06', '#ffe3a3', '#4d2302'),
  violet: family('#8357ea', '#43209a', '#e0d0ff', '#28105f'),
  rose: family('#d9457f', '#85144f', '#ffcfe2', '#540a31'),
  slate: family('#64748b', '#27324a', '#d9e2ee', '#161f30'),
  blue: family('#2f6fe0', '#163a8c', '#c4dbff', '#0d235a'),
  red: family('#d8404f', '#8a1326', '#ffcdd1', '#580a17'),
  night: family('#3c4896', '#10133a', '#c7d0ff', '#080a22'),
  lime: family('#5c9418', '#27560f', '#dcf5a4', '#163307'),
} as const

/** Name of a ground. */
export type FamilyName = keyof typeof FAMILIES

/** Names of all grounds, in a fixed order: seeds point into it. */
export const FAMILY_NAMES = Object.keys(FAMILIES) as FamilyName[]
