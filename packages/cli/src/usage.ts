import type { Command, Flag } from './command.ts'
import { columns } from './table.ts'

/** Flags of every command. */
export const everywhere: Readonly<Record<string, Flag>> = {
  url: { value: 'ADDRESS', about: 'The exchange. Default: AUGURY_URL, else this machine.' },
  json: { about: 'Write JSON: one value, or one a line where there is no end. Errors are JSON too, on the error output.' },
}

const ENVIRONMENT = `Reading needs no account. For the rest, the API key is the first of:
  AUGURY_ADDRESS, AUGURY_API_KEY, AUGURY_API_SECRET, AUGURY_API_PASSPHRASE   the key itself
  AUGURY_WALLET_KEY                                                          the wallet's private key, whose API key is asked for
  the key file that \`augury login\` writes, encrypted; AUGURY_KEY_FILE says where, AUGURY_PASSPHRASE opens it

A MARKET is its slug, its condition id, or the id of one of its tokens.
Exit codes: 0 done, 1 refused, 2 misused, 3 no answer.`

/** Usage of the program. */
export function programUsage(commands: Readonly<Record<string, Command>>): string {
  const rows = Object.entries(commands).map(([name, { about }]) => [`  ${name}`, about])
  return [
    'augury: the exchange from the command line',
    '',
    'augury COMMAND [--json] [--url ADDRESS]; augury help COMMAND for its flags; augury --version',
    '',
    columns(rows),
    '',
    ENVIRONMENT,
  ].join('\n')
}

/** Usage of a command. */
export function commandUsage(name: string, { usage, about, flags }: Command): string {
  const rows = Object.entries({ ...flags, ...everywhere }).map(([flag, { value, about: text }]) => [
    `  --${flag}${value === undefined ? '' : ` ${value}`}`,
    text,
  ])
  return [`augury ${name} ${usage}`.trim(), '', about, '', columns(rows)].join('\n')
}

/** Usage of a command as data, for JSON output. */
export const describeCommand = (name: string, { usage, about, flags }: Command) => ({
  name,
  usage: `augury ${name} ${usage}`.trim(),
  about,
  flags: Object.entries({ ...flags, ...everywhere }).map(([flag, { value = null, about: text }]) => ({ flag, value, about: text })),
})
