import type { LeaveSend, LeaveWait } from '@augury/chain/leave'
import { formatMicros } from '@augury/client/amounts'

const usdc = (micros: number): string => `${formatMicros(String(micros))} USDC`
const time = (seconds: number): string => `${new Date(seconds * 1000).toISOString().slice(0, 16).replace('T', ' ')} UTC`

/** What a transaction does, for people. */
export function sendText(send: LeaveSend): string {
  switch (send.kind) {
    case 'freeze':
      return 'Freeze the vault: it got no root for 7 days.'
    case 'freeze_for':
      return 'Freeze the vault: your demand was not answered for 3 days.'
    case 'demand':
      return `Demand ${usdc(send.amount)} from the vault.`
    case 'exit':
      return `Take ${usdc(send.amount)}${send.market === null ? '' : ` for your ${send.outcome === 0 ? 'Yes' : 'No'} of ${send.market}`}.`
    case 'settle':
      return `Fix the result of ${send.market} as the vault's resolver reports it.`
    case 'settle_void':
      return `Fix what ${send.market} pays as the last root says: ${send.weight / 10_000} for a Yes.`
    case 'refund':
      return `Return deposit ${send.number}, ${usdc(send.amount)}, to ${send.by}: the last root does not include it.`
    case 'rescue':
      return `Take ${usdc(send.amount)} from your deposit address.`
  }
}

/** What has to be waited for, or cannot be done, for people. */
export function waitText(wait: LeaveWait): string {
  switch (wait.kind) {
    case 'alive':
      return `The vault is not frozen. Without another root anybody may freeze it after ${time(wait.until)}: run the same again then.`
    case 'demand':
      return `Your demand of ${usdc(wait.amount)} is open. If it is not answered, run the same again after ${time(wait.until)}.`
    case 'result':
      return `${wait.market} has no result yet. If none comes, run the same again after ${time(wait.until)}: then the last root decides.`
    case 'no_leaves':
      return `Nothing has the leaves of the last root ${wait.root}: get a folder of \`augury mirror\` that has them, and give --mirror.`
    case 'no_weights':
      return `Nothing has the weights of the last root, which ${wait.market} needs: get a folder of \`augury mirror\` that has them.`
    case 'short':
      return `The vault is empty and owes you ${usdc(wait.amount)} more for ${wait.what}.`
    case 'refused':
      return `The vault refuses ${wait.what}: ${wait.error}.`
  }
}
