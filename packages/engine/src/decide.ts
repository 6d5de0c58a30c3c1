import type { Command } from './command.ts'
import type { Decision } from './decision.ts'
import { sweep } from './endings.ts'
import { deposit, endWithdrawal, withdraw } from './money.ts'
import { cancelAll, reduce } from './orders.ts'
import { deadMan, register, resolve, setAccount, setCondition, setMode, upgrade } from './registry.ts'
import type { State } from './state.ts'
import { convert, merge, redeem, redeemAll, split } from './tokens.ts'

/** Decides about every command that is not read in place. */
export function decide(state: State, command: Command): Decision {
  switch (command.type) {
    case 'cancel_all':
      return cancelAll(state, command)
    case 'reduce':
      return reduce(state, command)
    case 'deposit':
      return deposit(state, command)
    case 'withdraw':
      return withdraw(state, command)
    case 'end_withdrawal':
      return endWithdrawal(state, command)
    case 'split':
      return split(state, command)
    case 'merge':
      return merge(state, command)
    case 'convert':
      return convert(state, command)
    case 'redeem':
      return redeem(state, command)
    case 'redeem_all':
      return redeemAll(state, command)
    case 'register':
      return register(state, command)
    case 'set_condition':
      return setCondition(state, command)
    case 'resolve':
      return resolve(state, command)
    case 'set_mode':
      return setMode(state, command)
    case 'set_account':
      return setAccount(state, command)
    case 'dead_man':
      return deadMan(state, command)
    case 'upgrade':
      return upgrade(state, command)
    case 'sweep':
      return (listener) => {
        listener.done()
        sweep(state, listener, command.limit)
      }
    default:
      throw new Error(`${command.type} is read in place`)
  }
}
