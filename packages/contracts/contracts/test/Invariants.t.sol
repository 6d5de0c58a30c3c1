// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {Vault} from "../Vault.sol";
import {LyingLedger} from "./History.t.sol";
import {Ledger} from "./Ledger.sol";

/// @notice What holds after every step of any history. Forge calls the ledger's actions at random.
abstract contract Invariants {
    struct FuzzSelector {
        address addr;
        bytes4[] selectors;
    }

    Ledger internal ledger;
    Vault internal vault;

    function _start(Ledger ledger_) internal {
        ledger = ledger_;
        vault = ledger_.theVault();
    }

    function targetContracts() external view returns (address[] memory targets) {
        targets = new address[](1);
        targets[0] = address(ledger);
    }

    function _actions() internal view virtual returns (bytes4[] memory) {
        bytes4[10] memory actions = [
            ledger.deposit.selector,
            ledger.credit.selector,
            ledger.trade.selector,
            ledger.split.selector,
            ledger.convert.selector,
            ledger.withdraw.selector,
            ledger.pay.selector,
            ledger.settle.selector,
            ledger.post.selector,
            ledger.intrude.selector
        ];
        bytes4[] memory all = new bytes4[](12);
        for (uint256 i = 0; i < 10; i++) {
            all[i] = actions[i];
        }
        all[10] = ledger.wait.selector;
        all[11] = ledger.step.selector;
        return all;
    }

    function targetSelectors() external view returns (FuzzSelector[] memory selectors) {
        selectors = new FuzzSelector[](1);
        selectors[0] = FuzzSelector(address(ledger), _actions());
    }

    function _checkAlways() internal view {
        uint256 balance = ledger.theToken().balanceOf(address(vault));
        uint256 paid = _paid();
        require(balance == vault.depositTotal(vault.depositCount()) - paid, "balance is what came in less what went out");
        require(vault.depositTotal(vault.depositCount()) == ledger.moneyIn(), "every deposit is counted once");
        require(vault.spent() <= vault.limit(), "within the limit");
    }

    function _paid() internal view returns (uint256 total) {
        (,, total) = vault.batchOf(vault.paymentCount());
    }
}

contract HonestInvariants is Invariants {
    function setUp() public {
        _start(new Ledger());
    }

    function invariant_nobody_can_come_short() public view {
        _checkAlways();
        require(_paid() == ledger.moneyOut(), "each withdrawal is paid once");
        if (vault.lastRoot() == 0) return;
        require(ledger.owed() == ledger.theToken().balanceOf(address(vault)), "what is due is what is there");
    }

    function afterInvariant() public {
        require(ledger.leave() == 0, "somebody is short");
        require(ledger.theToken().balanceOf(address(vault)) == 0, "something is left");
    }
}

contract LyingInvariants is Invariants {
    function setUp() public {
        _start(new LyingLedger());
    }

    function _actions() internal view override returns (bytes4[] memory all) {
        all = super._actions();
        all[11] = LyingLedger.seldomLie.selector;
    }

    function invariant_a_lie_costs_at_most_the_limit() public view {
        _checkAlways();
        require(_paid() - ledger.moneyOut() <= vault.limit(), "stolen is within the limit");
    }

    function afterInvariant() public {
        uint256 stolen = _paid() - ledger.moneyOut();
        require(ledger.leave() == stolen, "the loss is what was stolen");
        require(ledger.theToken().balanceOf(address(vault)) == 0, "something is left");
    }
}
