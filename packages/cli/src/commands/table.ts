import type { Command } from '../command.ts'
import { book } from './book.ts'
import { call } from './call.ts'
import { cancel } from './cancel.ts'
import { deposit } from './deposit.ts'
import { exit } from './exit.ts'
import { faucet } from './faucet.ts'
import { login } from './login.ts'
import { logout } from './logout.ts'
import { markets } from './markets.ts'
import { mirror } from './mirror.ts'
import { order } from './order.ts'
import { orders } from './orders.ts'
import { portfolio } from './portfolio.ts'
import { status } from './status.ts'
import { trades } from './trades.ts'
import { verify } from './verify.ts'
import { withdraw } from './withdraw.ts'

/** Every command, by name. */
export const commands: Readonly<Record<string, Command>> = {
  markets,
  book,
  trades,
  order,
  cancel,
  orders,
  portfolio,
  positions: portfolio,
  faucet,
  login,
  logout,
  status,
  verify,
  deposit,
  withdraw,
  mirror,
  exit,
  call,
}
