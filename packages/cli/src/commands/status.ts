import { vaultStanding } from '../chain/check-vault.ts'
import { exitFileFlag, rpcFlag, vaultFlag } from '../chain/connect.ts'
import type { Command } from '../command.ts'
import { columns } from '../table.ts'

/** Shows the status of the exchange. */
export const status: Command = {
  usage: '[--vault ADDRESS [--rpc URL]]',
  about: 'State of the exchange and clock offset of this machine; with a vault, also its state on the chain.',
  flags: { vault: vaultFlag, 'exit-file': exitFileFlag, rpc: rpcFlag },
  words: [0, 0],
  async run(session, args) {
    const { visitor, show, url } = session
    const service = await visitor.getStatus()
    const before = Date.now()
    const seconds = await visitor.getTime()
    // The service returns whole seconds, read about half-way through the request: differences below a second are unknown.
    const skew = Math.round((before + Date.now()) / 2000 - (seconds + 0.5))
    const rows = [
      ['exchange', `${url}${service.sandbox ? ' (sandbox)' : ''}`],
      ['mode', `${service.mode} since ${service.since}`],
      ['position', `${service.seq}, history is ${service.lag} s behind`],
      ['writer', service.writer],
      ['clock', Math.abs(skew) < 2 ? 'right' : `this machine is ${Math.abs(skew)} s ${skew > 0 ? 'ahead' : 'behind'}`],
    ]
    const asksVault = args.given('vault') || args.given('exit-file')
    const { vault, rows: more } = asksVault ? await vaultStanding(session, args) : { vault: null, rows: [] }
    show({ ...service, clock_skew_seconds: skew, ...(vault && { vault }) }, () => columns([...rows, ...more]))
  },
}
