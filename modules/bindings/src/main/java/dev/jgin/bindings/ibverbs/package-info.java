// SPDX-License-Identifier: Apache-2.0

/**
 * {@code infiniband/verbs.h}: devices, ports, GIDs, memory regions, completion queues, RC queue
 * pairs, asynchronous events. Generated, apart from this page.
 *
 * <p>Call {@link dev.jgin.bindings.NativeLibrary#ensureAvailability} of {@code VERBS} before
 * anything in {@code verbs_h}. Pointers that the library returns have an unbounded target, so
 * {@code ibv_mr.lkey(mr)} works on them as they are; no bound is checked either.
 *
 * <p><b>What the header hides.</b> These have no symbol, or the symbol of that name is another
 * function:
 *
 * <ul>
 *   <li>{@code ibv_post_send}, {@code ibv_post_recv}, {@code ibv_poll_cq}: pointers in {@code
 *       ibv_context.ops(context)}, e.g. {@code ibv_context_ops.post_send(ops)}. They differ by
 *       provider, not by queue: read each once for an open device, then {@code
 *       ibv_context_ops.post_send.invoke(pointer, qp, wr, bad)}. That costs no more than a handle
 *       made from {@code ibv_context_ops.post_send.descriptor()}, which is needed only for linker
 *       options. {@code post_send} returns its errno.
 *   <li>{@code ibv_query_port}: the exported symbol fills an older and shorter struct. Use the
 *       pointer {@code verbs_context.query_port} with {@code ibv_port_attr.sizeof()} as the last
 *       argument. A context whose {@code ibv_context.abi_compat} is the pointer −1 lies inside a
 *       {@code verbs_context}, {@code verbs_context.context$offset()} bytes after its start. That
 *       struct grows at its front: a field is there only if {@code verbs_context.sz} is at least
 *       {@code verbs_context.sizeof()} less the field's offset, and then it may still be NULL.
 *   <li>{@code ibv_query_device_ex}, {@code ibv_create_qp_ex}, {@code ibv_create_cq_ex}: {@code
 *       verbs_context} likewise.
 *   <li>{@code ibv_query_gid_ex}, {@code ibv_query_gid_table}: {@code _ibv_query_gid_ex} and {@code
 *       _ibv_query_gid_table} with {@code ibv_gid_entry.sizeof()} as the last argument.
 *   <li>{@code ibv_reg_mr}: {@code ibv_reg_mr_iova2} with the address as {@code iova}, which is
 *       what the macro calls when flags may be optional ({@code IBV_ACCESS_RELAXED_ORDERING}).
 * </ul>
 *
 * <p><b>What layouts do not say.</b> {@code ibv_gid} and immediate data are in network byte order.
 * Members of anonymous unions are fields of the outer struct ({@code ibv_send_wr.imm_data}).
 * Layouts are those of the 64-bit Linux ABIs; {@code LayoutTest} holds them against the C compiler.
 *
 * <p>errno: see {@link dev.jgin.bindings.Errno}. {@code Linker.Option.critical} suits {@code
 * poll_cq} of a provider that polls in user space (mlx5), never a call behind which a system call
 * can hide: {@code post_send} of rxe enters the kernel.
 */
package dev.jgin.bindings.ibverbs;
