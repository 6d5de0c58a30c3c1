// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {Demands} from "../Demands.sol";
import {Exits} from "../Exits.sol";
import {Governed} from "../Governed.sol";
import {IResolver} from "../IResolver.sol";
import {Roots} from "../Roots.sol";
import {StateTree} from "../StateTree.sol";
import {Proof, Root, Step} from "../Types.sol";
import {Trees} from "./Trees.sol";
import {VaultTest} from "./VaultTest.sol";

contract ExitsTest is VaultTest {
    bytes32 private constant RAIN = keccak256("rain");
    uint64 private constant LOTS = 1_000; // worth 10 USDC

    /// @dev Ann has 90 and Yes, Bob has 50 and No, Cat has 10: 10 are locked.
    function setUp() public override {
        super.setUp();
        _deposit(ANN, 100 * USDC);
        _deposit(BOB, 50 * USDC);
        _deposit(CAT, 10 * USDC);
        _post(_root(_assets(), _weights(3_000)));
    }

    function _assets() private pure returns (Trees.Asset[] memory assets) {
        assets = new Trees.Asset[](3);
        assets[0] = _cash(90 * USDC, 50 * USDC, 10 * USDC)[0];
        address[] memory one = new address[](1);
        uint64[] memory lots = new uint64[](1);
        (one[0], lots[0]) = (ANN, LOTS);
        assets[1] = _asset(RAIN, 0, one, lots);
        one[0] = BOB;
        assets[2] = _asset(RAIN, 1, one, lots);
    }

    /// @dev The commitment to the weights of RAIN and of another condition.
    function _weights(uint64 weight) private pure returns (bytes32) {
        return Trees.leafOf(Trees.assetHash(_weightsAsset(weight)), 0).hash;
    }

    function _weightsAsset(uint64 weight) private pure returns (Trees.Asset memory asset) {
        asset = Trees.Asset(bytes32(type(uint256).max), 255, new bytes32[](2), new uint64[](2));
        (asset.holders[0], asset.amounts[0]) = (RAIN, weight);
        (asset.holders[1], asset.amounts[1]) = (keccak256("snow"), 5_000);
        Trees.sort(asset);
    }

    function _exitCall(address account, uint256 place, address to) private view returns (bytes memory) {
        Proof memory proof = _proof(account, _assets(), place);
        return place == 0 ? abi.encodeCall(vault.exit, (proof, to)) : abi.encodeCall(vault.exitPosition, (proof, to));
    }

    function _exit(address account, uint256 place, address to) private {
        bytes memory call = _exitCall(account, place, to);
        vm.prank(account);
        (bool ok,) = address(vault).call(call);
        require(ok, "exits");
    }

    function _settleVoidCall(uint64 weight) private pure returns (bytes memory) {
        Trees.Asset memory asset = _weightsAsset(3_000);
        uint256 index = asset.holders[0] == RAIN ? 0 : 1;
        Step[] memory path = Trees.pathOf(Trees.leavesOf(asset), index);
        return abi.encodeCall(Exits.settleVoid, (RAIN, weight, uint64(index), 2, path));
    }

    function test_an_exit_pays_the_account_once_to_any_address() public {
        _refused(ANN, _exitCall(ANN, 0, ANN), Governed.NotFrozen.selector);
        _freeze();
        _refused(BOB, _exitCall(ANN, 0, BOB), StateTree.BadPath.selector);
        _exit(ANN, 0, STRANGER);
        _eq(token.balanceOf(STRANGER), 90 * USDC, "paid");
        _refused(ANN, _exitCall(ANN, 0, ANN), Exits.NothingDue.selector);
    }

    function test_dead_ends_are_refused() public {
        _freeze();
        _refused(ANN, _exitCall(ANN, 0, address(0)), Exits.BadDestination.selector);
        _refused(ANN, _exitCall(ANN, 0, address(vault)), Exits.BadDestination.selector);
        _refused(ANN, _exitCall(ANN, 0, address(token)), Exits.BadDestination.selector);
    }

    function test_payments_after_the_root_are_deducted_and_earlier_ones_are_not() public {
        _pay("a", ANN, 5 * USDC);
        _pay("b", ANN, 7 * USDC);
        _pay("c", CAT, 10 * USDC);
        _freeze();
        _exit(ANN, 0, STRANGER);
        _eq(token.balanceOf(STRANGER), 78 * USDC, "both are deducted");
        _refused(CAT, _exitCall(CAT, 0, CAT), Exits.NothingDue.selector);
    }

    function test_settled_payments_are_not_deducted() public {
        _pay("a", CAT, 10 * USDC);
        _deposit(CAT, 10 * USDC);
        _post(_root(_assets(), 0));
        _freeze();
        _exit(CAT, 0, STRANGER);
        _eq(token.balanceOf(STRANGER), 10 * USDC, "the root has it");
    }

    function test_every_forged_field_is_refused() public {
        _freeze();
        for (uint256 i = 0; i < 9; i++) {
            Proof memory proof = _proof(ANN, _assets(), 0);
            if (i == 0) proof.salt = bytes32(uint256(proof.salt) + 1);
            if (i == 1) proof.amount += 1;
            if (i == 2) proof.index = (proof.index + 1) % 3;
            if (i == 3) proof.holders += 1;
            if (i == 4) proof.place += 1;
            if (i == 5) proof.path[0].hash = bytes32(uint256(proof.path[0].hash) + 1);
            if (i == 6) proof.path[0].sum += 1;
            if (i == 7) proof.top[0].hash = bytes32(uint256(proof.top[0].hash) + 1);
            if (i == 8) proof.top[0].sum = 1;
            _refused(ANN, abi.encodeCall(vault.exit, (proof, ANN)), StateTree.BadPath.selector);
        }
    }

    function test_amounts_and_sums_are_bounded() public {
        _freeze();
        Proof memory proof = _proof(ANN, _assets(), 0);
        proof.amount = 1 << 53;
        _refused(ANN, abi.encodeCall(vault.exit, (proof, ANN)), StateTree.BadPath.selector);
        proof = _proof(ANN, _assets(), 0);
        proof.path[0].sum = type(uint64).max;
        _refused(ANN, abi.encodeCall(vault.exit, (proof, ANN)), StateTree.BadPath.selector);
        proof.index = proof.holders = 1 << 53;
        _refused(ANN, abi.encodeCall(vault.exit, (proof, ANN)), StateTree.BadPath.selector);
    }

    function test_a_path_is_used_up() public {
        _freeze();
        Proof memory proof = _proof(ANN, _assets(), 0);
        Step[] memory longer = new Step[](proof.path.length + 1);
        for (uint256 i = 0; i < proof.path.length; i++) {
            longer[i] = proof.path[i];
        }
        proof.path = longer;
        _refused(ANN, abi.encodeCall(vault.exit, (proof, ANN)), StateTree.BadPath.selector);
    }

    function test_a_tree_whose_sum_is_no_exact_integer_pays_nobody() public {
        Trees.Asset[] memory assets = _cash((1 << 53) - 1, 1, 0);
        _post(_root(assets, 0));
        _freeze();
        _refused(ANN, abi.encodeCall(vault.exit, (_proof(ANN, assets, 0), ANN)), StateTree.BadPath.selector);
    }

    function test_an_asset_cannot_pass_for_another() public {
        _freeze();
        results.report(RAIN, 10_000);
        vault.settle(RAIN);
        Proof memory proof = _proof(ANN, _assets(), 1);
        _refused(ANN, abi.encodeCall(vault.exit, (proof, ANN)), Exits.BadAsset.selector);
        proof.outcome = 2;
        _refused(ANN, abi.encodeCall(vault.exitPosition, (proof, ANN)), Exits.BadAsset.selector);
        _refused(
            ANN, abi.encodeCall(vault.exitPosition, (_proof(ANN, _assets(), 0), ANN)), Exits.BadAsset.selector
        );
        proof = _proof(ANN, _assets(), 0);
        proof.outcome = 1;
        _refused(ANN, abi.encodeCall(vault.exit, (proof, ANN)), Exits.BadAsset.selector);
    }

    function test_positions_pay_the_reported_result() public {
        results.report(RAIN, 10_000);
        _refused(ANN, abi.encodeCall(vault.settle, (RAIN)), Governed.NotFrozen.selector);
        _freeze();
        _refused(ANN, _exitCall(ANN, 1, ANN), Exits.NotSettled.selector);
        _refused(ANN, abi.encodeCall(vault.settle, (keccak256("snow"))), Exits.NotKnown.selector);
        vm.prank(STRANGER);
        vault.settle(RAIN);
        _refused(ANN, abi.encodeCall(vault.settle, (RAIN)), Exits.AlreadySettled.selector);
        _exit(ANN, 1, STRANGER);
        _eq(token.balanceOf(STRANGER), 10 * USDC, "Yes pays one each");
        _refused(ANN, _exitCall(ANN, 1, ANN), Exits.NothingDue.selector);
        _refused(BOB, _exitCall(BOB, 2, BOB), Exits.NothingDue.selector);
    }

    function test_a_result_above_one_or_without_a_resolver_is_none() public {
        _freeze();
        results.report(RAIN, 10_001);
        _refused(ANN, abi.encodeCall(vault.settle, (RAIN)), Exits.NotKnown.selector);
    }

    function test_without_a_resolver_nothing_is_known() public {
        vm.prank(TIMELOCK);
        vault.setResolver(IResolver(address(0)));
        _freeze();
        _refused(ANN, abi.encodeCall(vault.settle, (RAIN)), Exits.NotKnown.selector);
    }

    function test_after_grace_positions_pay_the_weights_of_the_root() public {
        _refused(ANN, _settleVoidCall(3_000), Governed.NotFrozen.selector);
        _freeze();
        _refused(ANN, _settleVoidCall(3_000), Demands.TooEarly.selector);
        vm.warp(block.timestamp + 30 days - 1);
        _refused(ANN, _settleVoidCall(3_000), Demands.TooEarly.selector);
        vm.warp(block.timestamp + 1);
        results.report(RAIN, 10_000);
        _refused(ANN, abi.encodeCall(vault.settle, (RAIN)), Roots.TooLate.selector);
        _refused(ANN, _settleVoidCall(3_001), StateTree.BadPath.selector);
        _refused(ANN, _settleVoidCall(10_001), Exits.NotKnown.selector);
        vm.prank(STRANGER);
        (bool ok,) = address(vault).call(_settleVoidCall(3_000));
        require(ok, "settled");
        _refused(ANN, _settleVoidCall(3_000), Exits.AlreadySettled.selector);
        _exit(ANN, 1, STRANGER);
        _eq(token.balanceOf(STRANGER), 3 * USDC, "Yes");
        _exit(BOB, 2, STRANGER);
        _eq(token.balanceOf(STRANGER), 10 * USDC, "No has the rest");
        _exit(ANN, 0, STRANGER);
        _exit(BOB, 0, STRANGER);
        _exit(CAT, 0, STRANGER);
        _eq(token.balanceOf(address(vault)), 0, "nothing is left");
    }

    function test_a_deposit_after_the_root_goes_back_to_its_sender_once() public {
        token.mint(STRANGER, 20 * USDC);
        vm.prank(STRANGER);
        token.approve(address(vault), 20 * USDC);
        vm.prank(STRANGER);
        vault.deposit(ANN, 20 * USDC);
        bytes memory call = abi.encodeCall(vault.refund, (4, ANN, STRANGER));
        _refused(STRANGER, call, Governed.NotFrozen.selector);
        _freeze();
        _refused(STRANGER, abi.encodeCall(vault.refund, (3, CAT, CAT)), Exits.NotRefundable.selector);
        _refused(STRANGER, abi.encodeCall(vault.refund, (5, ANN, STRANGER)), Exits.NotRefundable.selector);
        _refused(STRANGER, abi.encodeCall(vault.refund, (4, STRANGER, STRANGER)), Exits.NotRefundable.selector);
        _refused(BOB, abi.encodeCall(vault.refund, (4, ANN, BOB)), Exits.NotRefundable.selector);
        vm.prank(BOB);
        vault.refund(4, ANN, STRANGER);
        _eq(token.balanceOf(STRANGER), 20 * USDC, "back");
        _refused(STRANGER, call, Exits.NothingDue.selector);
    }

    function test_a_vault_that_is_short_pays_what_it_has_and_the_rest_later() public {
        vm.prank(OPERATOR);
        vault.pay(_payment("false", STRANGER, STRANGER, 100 * USDC));
        _freeze();
        _exit(ANN, 0, ANN);
        _eq(token.balanceOf(ANN), 60 * USDC, "all there is");
        token.mint(address(vault), 35 * USDC);
        _exit(ANN, 0, ANN);
        _eq(token.balanceOf(ANN), 90 * USDC, "all that is due");
        _refused(ANN, _exitCall(ANN, 0, ANN), Exits.NothingDue.selector);
    }

    function test_exits_go_by_the_root_that_stands() public {
        Root memory root = _root(_cash(0, 0, 160 * USDC), 0);
        _post(root);
        vm.prank(GUARDIAN);
        vault.veto(2);
        _freeze();
        Proof memory lie = _proof(CAT, _cash(0, 0, 160 * USDC), 0);
        _refused(CAT, abi.encodeCall(vault.exit, (lie, CAT)), StateTree.BadPath.selector);
        _exit(CAT, 0, CAT);
        _eq(token.balanceOf(CAT), 10 * USDC, "Cat's own");
    }

    function test_without_a_root_only_refunds_pay() public {
        vm.prank(GUARDIAN);
        vault.veto(1);
        _freeze();
        _refused(ANN, _exitCall(ANN, 0, ANN), StateTree.BadPath.selector);
        vault.refund(1, ANN, ANN);
        vault.refund(2, BOB, BOB);
        vault.refund(3, CAT, CAT);
        _eq(token.balanceOf(address(vault)), 0, "all went back");
    }
}
