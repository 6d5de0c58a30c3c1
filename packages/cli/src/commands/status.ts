import type { Command } from '../command.ts'
import { columns } from '../table.ts'

/** Shows the status of the exchange. */
export const status: Command = {
  usage: '',
  about: 'How the exchange is doing, and how far the clock of this machine is off.',
  flags: {},
  words: [0, 0],
  async run({ visitor, show, url }) {
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
    show({ ...service, clock_skew_seconds: skew }, () => columns(rows))
  },
}
