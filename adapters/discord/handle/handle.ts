/** Works off what is in the in-tray: one event, as Discord told it, on any replica. */
import type { Failure } from '../../../src/core/failure.ts';
import { ok } from '../../../src/core/result.ts';
import type { Result } from '../../../src/core/result.ts';
import { deliverySchema } from '../delivery.ts';
import type { Desk } from './desk.ts';
import { handleInteraction } from './handle-interaction.ts';
import { handleCreated, handleDeleted, handleGone, handleUpdated } from './handle-message.ts';

export const createHandle =
  (desk: Desk) =>
  async (payload: string): Promise<Result<void, Failure>> => {
    const read = deliverySchema.safeParse(JSON.parse(payload));
    // Of a version that wrote it otherwise; none of it can be worked off.
    if (!read.success) {
      desk.log.warn({ problem: read.error.issues[0]?.path.join('.') ?? '' }, 'an event in the in-tray cannot be read');
      return ok(undefined);
    }
    switch (read.data.event) {
      case 'MESSAGE_CREATE':
        return handleCreated(desk, read.data);
      case 'MESSAGE_UPDATE':
        return handleUpdated(desk, read.data);
      case 'MESSAGE_DELETE':
      case 'MESSAGE_DELETE_BULK':
        return handleDeleted(desk, read.data);
      case 'THREAD_DELETE':
      case 'CHANNEL_DELETE':
      case 'GUILD_DELETE':
        return handleGone(desk, read.data);
      case 'INTERACTION_CREATE':
        return handleInteraction(desk, read.data);
      default:
        return ok(undefined);
    }
  };
