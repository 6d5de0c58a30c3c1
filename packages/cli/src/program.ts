import { parseArgs } from 'node:util'
import { venueClient } from '@augury/client/rest'
import { cliSettings, type Environment } from '@augury/settings/env'
import type { ApiKey } from '@augury/signing/request-signer'
import manifest from '../package.json' with { type: 'json' }
import type { Arguments, Command, Session } from './command.ts'
import { commands } from './commands/table.ts'
import { explain, type Failure, failureOf, misuse } from './failure.ts'
import { findAddress, findKey } from './find-key.ts'
import type { Terminal } from './terminal.ts'
import { commandUsage, describeCommand, everywhere, programUsage } from './usage.ts'

/** Runs a command line and returns its exit code: 0 success, 1 refused, 2 usage error, 3 no answer. */
export async function runProgram(args: readonly string[], terminal: Terminal, environment?: Environment): Promise<number> {
  const json = args.includes('--json')
  try {
    await runCommand(args, terminal, json, environment)
    return 0
  } catch (error) {
    const failure = failureOf(error)
    terminal.error(json ? jsonText(written(failure)) : readable(explain(failure)))
    return failure.exitCode
  }
}

/** Names and texts are whatever an operator wrote: what a terminal would obey is shown as an unknown character. */
const readable = (text: string): string => text.replace(/(?!\n)\p{Cc}/gu, '\ufffd')
/** JSON without control characters that JSON.stringify leaves unescaped and some terminals interpret. */
const jsonText = (value: unknown): string =>
  JSON.stringify(value).replace(/\p{Cc}/gu, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`)

const written = ({ message, code, details, retryAfter }: Failure) => ({
  error: message,
  code,
  ...(details === undefined ? {} : { details }),
  ...(retryAfter === undefined ? {} : { retry_after: retryAfter }),
})

async function runCommand(args: readonly string[], terminal: Terminal, json: boolean, environment: Environment | undefined): Promise<void> {
  const { before, name: named, after } = commandOf(args)
  const { version } = manifest
  if (named === undefined && before.includes('--version')) return terminal.out(json ? jsonText({ version }) : `augury ${version}`)
  const name = named ?? 'help'
  const asksHelp = [...before, ...after].some((word) => word === '--help' || word === '-h')
  if (name === 'help' || asksHelp) {
    if (after.length === 0 && !asksHelp) read(name, { usage: '', flags: {}, words: [0, 0] }, before)
    const about = name === 'help' ? after.find((word) => !word.startsWith('-')) : name
    return terminal.out(json ? jsonText(describe(about)) : about === undefined ? programUsage(commands) : commandUsage(about, find(about)))
  }
  const command = find(name)
  const parsed = read(name, command, [...before, ...after])
  const settings = cliSettings(environment)
  const url = (parsed.flag('url') ?? settings.auguryUrl).replace(/\/+$/, '')
  if (!/^https?:\/\//.test(url) || !URL.canParse(url)) throw misuse(`--url is no address: ${url}`)
  const onClock = (aheadMs: number) =>
    terminal.error(`note: the clock of this machine is ${Math.abs(Math.round(aheadMs / 1000))} s ${aheadMs > 0 ? 'behind' : 'ahead'}`)
  let apiKey: Promise<ApiKey> | undefined
  const session: Session = {
    url,
    settings,
    terminal,
    json,
    visitor: venueClient({ url }),
    apiKey: () => (apiKey ??= findKey(url, settings, terminal)),
    address: () => findAddress(url, settings),
    trader: async () => venueClient({ url, apiKey: await session.apiKey(), onClock }),
    show: (value, text) => terminal.out(json ? jsonText(value) : readable(text())),
  }
  await command.run(session, parsed)
}

/** Splits a line into command and arguments; global flags may come first. */
function commandOf(args: readonly string[]) {
  let at = 0
  while (args[at]?.startsWith('-')) at += everywhere[args[at]!.slice(2)]?.value === undefined ? 1 : 2
  const [name, ...after] = args.slice(at)
  return { before: args.slice(0, at), name, after }
}

const describe = (name: string | undefined) =>
  name === undefined
    ? { commands: Object.entries(commands).map(([each, command]) => describeCommand(each, command)) }
    : describeCommand(name, find(name))

function find(name: string): Command {
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined
  if (!command) throw misuse(`there is no command ${name}; see augury help`)
  return command
}

/** Reads words and flags; whatever the command does not know is refused, because a flag that is overlooked can cost money. */
function read(name: string, command: Pick<Command, 'usage' | 'flags' | 'words'>, args: string[]): Arguments {
  const flags = Object.entries({ ...everywhere, ...command.flags })
  const options = Object.fromEntries(
    flags.map(([flag, { value }]) => [flag, { type: value === undefined ? 'boolean' : 'string' } as const]),
  )
  try {
    const { values, positionals, tokens } = parseArgs({ args, options, allowPositionals: true, strict: true, tokens: true })
    const valued = tokens.flatMap((token) => (token.kind === 'option' && token.value !== undefined ? [token.name] : []))
    const twice = valued.find((flag, index) => valued.indexOf(flag) !== index)
    if (twice !== undefined) throw misuse(`--${twice} is given twice`)
    const [least, most] = command.words
    if (positionals.length < least || positionals.length > most) throw new TypeError(`usage: augury ${name} ${command.usage}`.trim())
    return {
      words: positionals,
      flag: (flag) => (typeof values[flag] === 'string' ? values[flag] : undefined),
      given: (flag) => values[flag] !== undefined,
    }
  } catch (error) {
    if (error instanceof TypeError) throw misuse(error.message.split('. ')[0]!)
    throw error
  }
}
