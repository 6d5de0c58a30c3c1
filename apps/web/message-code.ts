import type { Plugin } from 'vite'

const MODULE = /paraglide\/messages\/(?!_index)\w+\.js$/
const REGISTRY = /^import .*registry\.js'$/m
const TEXT = /^const (\w\w)_\w+ = ([\s\S]*?\n\});$/gm
const CHOICE = /^export const (\w+) = /m

/**
 * What Paraglide writes for a message ends in a function of its own that asks for the language and chooses the text. The event page begins
 * with two hundred and fifty of them, which differ in nothing but names: here each becomes a call of one that all share. Throws where
 * Paraglide writes in another way than this was made for.
 */
export function shortMessage(code: string): string {
  const texts = [...code.matchAll(TEXT)].map(([, locale, text]) => `${locale}: ${text}`)
  const name = CHOICE.exec(code)?.[1]
  if (texts.length === 0 || !name) throw new Error('Paraglide writes messages in another way than message-code.ts knows.')
  return [
    REGISTRY.exec(code)?.[0] ?? '',
    "import { inLocale } from '../../language/in-locale.ts'",
    `export const ${name} = /* @__PURE__ */ inLocale({ ${texts.join(', ')} })`,
  ].join('\n')
}

/** Does this to every message that a browser gets of a built site: to a developer's, Paraglide writes one file for each language. */
export const shortMessages: Plugin = {
  name: 'augury:short-messages',
  apply: 'build',
  applyToEnvironment: ({ name }) => name === 'client',
  transform: { filter: { id: MODULE }, handler: (code) => ({ code: shortMessage(code), map: null }) },
}
