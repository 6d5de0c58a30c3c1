import { defineEntity, p } from '@mikro-orm/core'
import { hexColumn, seqColumn } from '../columns.ts'
import { bytesCheck, factKey } from './fact.ts'

/** Why an account's holdings changed. */
const ENTRY_REASONS = [
  'deposit',
  'withdraw',
  'withdraw_settled',
  'withdraw_returned',
  'trade',
  'fee',
  'rebate',
  'affiliate',
  'split',
  'merge',
  'convert',
  'redeem',
] as const

const schema = defineEntity({
  name: 'LedgerEntry',
  tableName: 'ledger_entry',
  checks: [
    { name: 'ledger_entry_account', expression: bytesCheck(20, 'account') },
    {
      name: 'ledger_entry_asset',
      expression: `(condition_id is null) = (outcome is null) and (outcome is null or outcome in (0, 1) and ${bytesCheck(32, 'condition_id')})`,
    },
    { name: 'ledger_entry_never_negative', expression: 'balance >= 0' },
  ],
  indexes: [
    {
      name: 'ledger_entry_affiliate',
      expression: `create index ledger_entry_affiliate on ledger_entry (stream, seq) where reason = 'affiliate'`,
    },
    {
      name: 'ledger_entry_by_account',
      expression: 'create index ledger_entry_by_account on ledger_entry (account, seq desc, n desc)',
    },
    {
      name: 'ledger_entry_converted',
      expression: `create index ledger_entry_converted on ledger_entry (stream, seq) where reason = 'convert'`,
    },
    {
      name: 'ledger_entry_other',
      expression: `create index ledger_entry_other on ledger_entry (stream, seq) where reason in ('split', 'merge', 'convert', 'redeem', 'fee', 'rebate', 'affiliate')`,
    },
  ],
  properties: {
    ...factKey(),
    account: hexColumn(),
    /** null with `outcome`: USDC. */
    conditionId: hexColumn().nullable(),
    outcome: p.smallint().nullable(),
    /** Millionths of a USDC, or lots. */
    delta: seqColumn(),
    /** Balance after the command, in the same asset, free and held together. */
    balance: seqColumn(),
    reason: p.enum(ENTRY_REASONS),
  },
})

/** Fact: what a command changed for one account in one asset. Holds are not entries: they do not change what an account owns. */
export class LedgerEntry extends schema.class {}
schema.setClass(LedgerEntry)
