// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

/// @notice The cheat codes of Forge that the tests use.
interface Vm {
    function warp(uint256 to) external;
    function prank(address caller) external;
    function deal(address to, uint256 wei_) external;
    function chainId(uint256 id) external;
    function addr(uint256 key) external pure returns (address);
    function sign(uint256 key, bytes32 digest) external pure returns (uint8 v, bytes32 r, bytes32 s);
    function readFile(string calldata path) external view returns (string memory);
    function readLine(string calldata path) external returns (string memory);
    function closeFile(string calldata path) external;
    function parseBytes(string calldata text) external pure returns (bytes memory);
    function cool(address target) external;
}
