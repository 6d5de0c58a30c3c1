// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

// Compiled for deployment as it is.
import {TimelockController} from "@openzeppelin/contracts/governance/TimelockController.sol";
