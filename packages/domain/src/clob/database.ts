import { join } from 'node:path'
import { type Database, migrate, openOrm } from '../orm.ts'
import { AccountStats } from './account-stats.entity.ts'
import { ApiKey } from './api-key.entity.ts'
import { ConditionChange } from './condition-change.entity.ts'
import { ConditionMetadata } from './condition-metadata.entity.ts'
import { ConditionStats } from './condition-stats.entity.ts'
import { DroppedNotification } from './dropped-notification.entity.ts'
import { FeeAccount } from './fee-account.entity.ts'
import { Fill } from './fill.entity.ts'
import { HolderSalt } from './holder-salt.entity.ts'
import { JournalRow } from './journal-row.entity.ts'
import { Lease } from './lease.entity.ts'
import { LedgerEntry } from './ledger-entry.entity.ts'
import { OrderChange } from './order-change.entity.ts'
import { OrderState } from './order-state.entity.ts'
import { Placement } from './placement.entity.ts'
import { Position } from './position.entity.ts'
import { PostedRoot } from './posted-root.entity.ts'
import { PricePoint } from './price-point.entity.ts'
import { Projection } from './projection.entity.ts'
import { Reward } from './reward.entity.ts'
import { ShownPrice } from './shown-price.entity.ts'
import { ShownRollup } from './shown-rollup.entity.ts'
import { Snapshot } from './snapshot.entity.ts'
import { SnapshotChunk } from './snapshot-chunk.entity.ts'
import { StateRoot } from './state-root.entity.ts'
import { StateTree } from './state-tree.entity.ts'
import { Trade } from './trade.entity.ts'
import { Transfer } from './transfer.entity.ts'
import { Wallet } from './wallet.entity.ts'

/** The exchange's own database: the journal, the history that the follower writes from it, and a few tables beside them. */
export const clob: Database = {
  entities: [
    JournalRow,
    Lease,
    Snapshot,
    SnapshotChunk,
    Projection,
    Placement,
    OrderChange,
    Fill,
    Trade,
    LedgerEntry,
    Transfer,
    ConditionChange,
    OrderState,
    Position,
    PricePoint,
    ConditionStats,
    AccountStats,
    Reward,
    ShownPrice,
    ShownRollup,
    ApiKey,
    ConditionMetadata,
    Wallet,
    FeeAccount,
    DroppedNotification,
    StateRoot,
    StateTree,
    PostedRoot,
    HolderSalt,
  ],
  migrations: join(import.meta.dirname, 'migrations'),
  replaced: 'Migration20261128002500_placement_budget',
}

/** Migrates the exchange's database to the newest migration. */
export const migrateClob = (databaseUrl: string): Promise<void> => migrate(clob, databaseUrl)

/** The ORM of the exchange's database, for its small tables; history is read by `venue/record/history/read-model`. Close it at the end. */
export const openClob = (databaseUrl: string) => openOrm(clob, databaseUrl)
