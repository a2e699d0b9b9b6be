import { defineSlotModule, type SlotProps } from '@clinic/app-kit';
import { RecordMessagesButton } from './record-messages-button.tsx';
import '../setup.ts';

function OrderMessages({ id, name, own }: SlotProps['order']) {
  return <RecordMessagesButton of={{ order: id }} what="order" name={name} own={own} />;
}

/** This domain's part of an order's actions. */
export default defineSlotModule<'order'>({ Component: OrderMessages });
