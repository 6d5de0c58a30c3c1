import type { Input, Operation, Output } from '@augury/wire/operation'
import type { VenueOperationName, VenueOperations } from '@augury/wire/operations/venue'
import type { Trader, Visitor, WalletOwner } from '../access/identity.ts'
import { amendOrder } from './amend-order.ts'
import * as established from './answer-established.ts'
import { cancelAll, cancelMarketOrders } from './cancel-all.ts'
import { cancelOrder, cancelOrderById, cancelOrders } from './cancel-order.ts'
import { convertPosition, mergePosition, redeemPosition, splitPosition } from './change-positions.ts'
import type { Context } from './context.ts'
import { depositBatch } from './deposit-batch.ts'
import { faucet } from './faucet.ts'
import { getAccountingSnapshot } from './get-accounting-snapshot.ts'
import { getBalance, listHolds, updateBalance } from './get-balance.ts'
import { getBook, getBooks, getOrderbook } from './get-books.ts'
import { getFees } from './get-fees.ts'
import { getLimits, getRateLimitTier } from './get-limits.ts'
import * as history from './get-price-history.ts'
import * as prices from './get-prices.ts'
import { getProfitHistory } from './get-profit-history.ts'
import * as service from './get-service.ts'
import * as totals from './get-totals.ts'
import { listActivity } from './list-activity.ts'
import { listAffiliateShares } from './list-affiliate-shares.ts'
import { listCandles } from './list-candles.ts'
import * as catalogue from './list-catalogue.ts'
import * as people from './list-catalogue-people.ts'
import { listEvents } from './list-events.ts'
import { listHolders } from './list-holders.ts'
import { listLeaders } from './list-leaders.ts'
import { listMarketPositions } from './list-market-positions.ts'
import * as markets from './list-markets.ts'
import { dropNotifications, listNotifications } from './list-notifications.ts'
import { getOrder, listOrders, lookUpOrders } from './list-orders.ts'
import * as positions from './list-positions.ts'
import { listOwnTrades, listTrades } from './list-trades.ts'
import { listDeposits, listWithdrawals } from './list-transfers.ts'
import * as conditions from './manage-conditions.ts'
import * as keys from './manage-keys.ts'
import * as venue from './manage-venue.ts'
import { listWallets, registerWallet, relayWallet } from './manage-wallets.ts'
import { placeOrder, placeOrders } from './place-order.ts'
import * as proof from './prove.ts'
import { registerCondition } from './register-condition.ts'
import { replaceOrder } from './replace-order.ts'
import * as search from './search-catalogue.ts'
import { cancelAfter, postHeartbeat, postPlainHeartbeat } from './stay-alive.ts'

/** The identity that an operation gets. */
type IdentityOf<Op extends Operation> = Op['auth'] extends 'public' ? Visitor : Op['auth'] extends 'wallet' ? WalletOwner : Trader

/** The use case of every operation of the table in `wire`: a missing one, or one with another result, is a type error. */
export type UseCases = {
  [Name in VenueOperationName]: (
    ctx: Context,
    identity: IdentityOf<VenueOperations[Name]>,
    input: Input<VenueOperations[Name]>,
  ) => Promise<Output<VenueOperations[Name]>>
}

/** Every use case by the name of its operation. */
export const useCases: UseCases = {
  placeOrder,
  placeOrders,
  amendOrder,
  replaceOrder,
  postHeartbeat,
  postPlainHeartbeat,
  cancelAfter,
  cancelOrder,
  cancelOrderById,
  cancelOrders,
  cancelAll,
  cancelMarketOrders,
  listOrders,
  getOrder,
  lookUpOrders,
  getBooks,
  getBook,
  getOrderbook,
  getSpreads: prices.getSpreads,
  getSpread: prices.getSpread,
  postLastTradesPrices: prices.postLastTradesPrices,
  getLastTradesPrices: prices.getLastTradesPrices,
  getLastTradePrice: prices.getLastTradePrice,
  getMidpoint: prices.getMidpoint,
  getMidpoints: prices.getMidpoints,
  queryMidpoints: prices.queryMidpoints,
  getPrice: prices.getPrice,
  getPrices: prices.getPrices,
  queryPrices: prices.queryPrices,
  listMarkets: markets.listMarkets,
  getMarket: markets.getMarket,
  listSimplifiedMarkets: markets.listSimplifiedMarkets,
  listSamplingMarkets: markets.listSamplingMarkets,
  listSamplingSimplifiedMarkets: markets.listSamplingSimplifiedMarkets,
  getClobMarket: markets.getClobMarket,
  getMarketByToken: markets.getMarketByToken,
  getTickSize: markets.getTickSize,
  getNegRisk: markets.getNegRisk,
  getFeeRate: markets.getFeeRate,
  listTrades,
  getVolumes: totals.getVolumes,
  getPriceHistory: history.getPriceHistory,
  getPriceHistories: history.getPriceHistories,
  listCandles,
  listMarketTape: history.listMarketTape,
  listEventTape: history.listMarketTape,
  listPositions: positions.listPositions,
  listClosedPositions: positions.listClosedPositions,
  getValue: positions.getValue,
  getProfitHistory,
  getTraded: positions.getTraded,
  getTraders: positions.getTraders,
  listHolders,
  listMarketPositions,
  getAccountingSnapshot,
  listActivity,
  getOpenInterest: totals.getOpenInterest,
  getLiveVolume: totals.getLiveVolume,
  listLeaders,
  listCatalogueEvents: catalogue.listCatalogueEvents,
  followCatalogueEvents: catalogue.followCatalogueEvents,
  countCatalogueEvents: catalogue.countCatalogueEvents,
  getCatalogueEventBySlug: catalogue.getCatalogueEventBySlug,
  getCatalogueEvent: catalogue.getCatalogueEvent,
  listCatalogueEventTags: catalogue.listCatalogueEventTags,
  listCatalogueMarkets: catalogue.listCatalogueMarkets,
  followCatalogueMarkets: catalogue.followCatalogueMarkets,
  getCatalogueMarketBySlug: catalogue.getCatalogueMarketBySlug,
  getCatalogueMarket: catalogue.getCatalogueMarket,
  listCatalogueMarketTags: catalogue.listCatalogueMarketTags,
  listCatalogueTags: search.listCatalogueTags,
  getCatalogueTagBySlug: search.getCatalogueTagBySlug,
  getCatalogueTag: search.getCatalogueTag,
  listRelatedTags: established.listNothing,
  listRelatedTagsBySlug: established.listNothing,
  listTagsRelated: established.listNothing,
  listTagsRelatedBySlug: established.listNothing,
  getCatalogueStatus: established.getCatalogueStatus,
  listCatalogueComments: people.listCatalogueComments,
  listCommentsOfUser: people.listCommentsOfUser,
  getCatalogueComment: people.getCatalogueComment,
  getPublicProfile: people.getPublicProfile,
  getProfile: people.getProfile,
  listTeams: established.listNothing,
  listSports: established.listNothing,
  listSportsMarketTypes: established.listSportsMarketTypes,
  listMarketClarifications: established.listNothing,
  listCatalogueSeries: search.listCatalogueSeries,
  getCatalogueSeries: search.getCatalogueSeries,
  searchCatalogue: search.searchCatalogue,
  listOwnTrades,
  listEvents,
  getBalance,
  updateBalance,
  listHolds,
  getLimits,
  splitPosition,
  mergePosition,
  convertPosition,
  redeemPosition,
  createKey: keys.createKey,
  deriveKey: keys.deriveKey,
  relayKey: keys.relayKey,
  registerWallet,
  relayWallet,
  listWallets,
  listKeys: keys.listKeys,
  deleteKey: keys.deleteKey,
  getClosedOnly: keys.getClosedOnly,
  createReadonlyKey: keys.createReadonlyKey,
  listReadonlyKeys: keys.listReadonlyKeys,
  deleteReadonlyKey: keys.deleteReadonlyKey,
  validateReadonlyKey: keys.validateReadonlyKey,
  registerCondition,
  patchCondition: conditions.patchCondition,
  closeCondition: conditions.closeCondition,
  resolveCondition: conditions.resolveCondition,
  redeemCondition: conditions.redeemCondition,
  setAccount: venue.setAccount,
  setFeeAccount: venue.setFeeAccount,
  listAffiliateShares,
  pauseVenue: venue.pauseVenue,
  resumeVenue: venue.resumeVenue,
  cancelOnlyVenue: venue.cancelOnlyVenue,
  upgradeRules: venue.upgradeRules,
  deposit: venue.deposit,
  depositBatch,
  listDeposits,
  listWithdrawals,
  cutStateRoot: proof.cutStateRoot,
  notePostedRoot: proof.notePostedRoot,
  getFees,
  withdraw: venue.withdraw,
  settleWithdrawal: venue.settleWithdrawal,
  returnWithdrawal: venue.returnWithdrawal,
  faucet,
  listStateRoots: proof.listStateRoots,
  getStateRoot: proof.getStateRoot,
  listProofKeys: proof.listProofKeys,
  listFacts: proof.listFacts,
  getBalanceProof: proof.getBalanceProof,
  listRootLeaves: proof.listRootLeaves,
  listRootWeights: proof.listRootWeights,
  getRoot: service.getRoot,
  getOk: service.getOk,
  getTime: service.getTime,
  getVersion: service.getVersion,
  getStatus: service.getStatus,
  getHealthz: service.getHealthz,
  getReadyz: service.getReadyz,
  listNotifications,
  dropNotifications,
  getRateLimitTier,
  listPreMigrationOrders: established.listPreMigrationOrders,
  getOrderScoring: established.getOrderScoring,
  getOrdersScoring: established.getOrdersScoring,
  listEarnings: established.listEarnings,
  listTotalEarnings: established.listTotalEarnings,
  listRewardedMarkets: established.listRewardedMarkets,
  getRewardPercentages: established.getRewardPercentages,
  listCurrentRewards: established.listCurrentRewards,
  listMarketRewards: established.listMarketRewards,
  getBuilderFees: established.getBuilderFees,
  listBuilders: established.listNothing,
  listBuilderVolume: established.listNothing,
  listComboPositions: established.listComboPositions,
  listComboActivity: established.listComboActivity,
  listComboMarkets: established.listComboMarkets,
  createBuilderKey: established.unsupported,
  listBuilderKeys: established.unsupported,
  deleteBuilderKey: established.unsupported,
  listBuilderTrades: established.listBuilderTrades,
  createRfqRequest: established.unsupported,
  cancelRfqRequest: established.unsupported,
  createRfqQuote: established.unsupported,
  cancelRfqQuote: established.unsupported,
  listRfqRequests: established.unsupported,
  listRfqRequesterQuotes: established.unsupported,
  listRfqQuoterQuotes: established.unsupported,
  getRfqBestQuote: established.unsupported,
  getRfqConfig: established.unsupported,
  acceptRfqQuote: established.unsupported,
  approveRfqOrder: established.unsupported,
}
