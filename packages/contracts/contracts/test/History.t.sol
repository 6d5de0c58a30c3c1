// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {Payment, Root} from "../Types.sol";
import {Ledger} from "./Ledger.sol";
import {Trees} from "./Trees.sol";

/// @notice An operator who lies in a root, and pays accomplices on the strength of it.
contract LyingLedger is Ledger {
    /// @dev All cash is said to be the first member's, and they are paid as much as the limit allows.
    function lie(uint256 part) public returns (uint256 stolen) {
        if (vault.frozenAt() != 0 || vault.halted() || vault.lastRoot() == 0) return 0;
        (,, uint96 paid) = vault.batchOf(settled);
        uint256 custody = vault.depositTotal(credited) - paid;
        if (custody == 0) return 0;
        uint64[] memory amounts = new uint64[](MEMBERS);
        amounts[0] = uint64(custody);
        Trees.Asset[] memory assets = new Trees.Asset[](1);
        assets[0] = _asset(0, 0, members, amounts);
        Root memory root = _rootNow(assets, _commitment());
        _post(root);
        uint256 left = vault.limit() - vault.spent();
        uint256 balance = token.balanceOf(address(vault));
        stolen = (left < balance ? left : balance) * (1 + part % 4) / 4;
        address thief = address(0x7417ef);
        if (stolen > 0) {
            vm.prank(OPERATOR);
            vault.pay(_payment(bytes32(++refs), thief, thief, stolen));
        }
        vm.prank(GUARDIAN);
        vault.veto(root.n);
    }

    function seldomLie(uint256 part) external {
        if (part % 16 == 0) lie(part >> 4);
    }
}

/// @notice Random histories, after which the operator is gone.
contract HistoryTest {
    /// @notice Everybody gets what the last root, later deposits and earlier payments leave them, and the vault is empty.
    /// forge-config: default.fuzz.runs = 2000
    /// forge-config: long.fuzz.runs = 20000
    function testFuzz_an_honest_history_leaves_nothing_and_nobody_short(uint256 seed) public {
        Ledger ledger = new Ledger();
        for (uint256 i = 0; i < 40; i++) {
            ledger.step(uint256(keccak256(abi.encode(seed, i))));
        }
        require(ledger.leave() == 0, "somebody is short");
        require(ledger.theToken().balanceOf(address(ledger.theVault())) == 0, "something is left");
    }

    /// @notice The veto comes in time: the loss is at most what was paid, which is at most the limit.
    /// forge-config: default.fuzz.runs = 2000
    /// forge-config: long.fuzz.runs = 20000
    function testFuzz_a_lie_costs_at_most_the_limit(uint256 seed) public {
        LyingLedger ledger = new LyingLedger();
        for (uint256 i = 0; i < 40; i++) {
            ledger.step(uint256(keccak256(abi.encode(seed, i))));
        }
        uint256 stolen = ledger.lie(seed);
        uint256 short = ledger.leave();
        require(stolen <= ledger.theVault().limit(), "above the limit");
        require(short == stolen, "the loss is what was stolen");
        require(ledger.theToken().balanceOf(address(ledger.theVault())) == 0, "something is left");
    }
}
