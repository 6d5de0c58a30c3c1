// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {Demands} from "./Demands.sol";
import {Deposits} from "./Deposits.sol";
import {Exits} from "./Exits.sol";
import {Governed} from "./Governed.sol";

/// @title Vault
/// @notice Holds members' money. Money comes in by numbered deposits (Deposits), leaves by payments within a limit of 24 hours (Payments),
/// and what is owed is posted as roots (Roots). If the operator falls silent or refuses to pay, anybody freezes the vault (Demands), and
/// members take what is theirs by proof (Exits). There is no proxy and no upgrade: a new version is a new vault.
/// @dev No contract can see whether a trade behind a root was real. Guardians and watchers veto false roots; see the README.
contract Vault is Exits {
    constructor(Config memory config) Governed(config) Deposits(config) Demands(config) {}
}
