// SPDX-License-Identifier: Apache-2.0

/**
 * {@code infiniband/mlx5dv.h}: the rings behind a queue pair and a completion queue of a ConnectX,
 * and the layouts of WQEs and CQEs on them. Generated, apart from this page.
 *
 * <p>{@code mlx5dv_init_obj} fills {@code mlx5dv_qp} and {@code mlx5dv_cq} with the addresses of
 * rings, doorbell records and the doorbell register; {@code mlx5dv_is_supported} says whether a
 * device is one of these at all. Layouts serve without device or library. Constants and functions
 * of {@code mlx5dv_h} need the library: {@link dev.jgin.bindings.NativeLibrary#MLX5}.
 *
 * <p><b>What layouts do not say.</b> Every field of a WQE or CQE wider than a byte is in network
 * byte order; {@code mlx5_wqe_inl_data_seg.byte_count} too, although its type does not say so.
 * {@code mlx5_wqe_ctrl_seg} is packed: {@code dci_stream_channel_id} lies at the odd offset 9. The
 * header's inline functions ({@code mlx5dv_set_ctrl_seg}, {@code mlx5dv_get_cqe_opcode}, ...) are
 * shifts and byte swaps, written where they are used.
 */
package dev.jgin.bindings.mlx5;
