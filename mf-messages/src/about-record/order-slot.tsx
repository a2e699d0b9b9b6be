import { defineSlotModule } from '@clinic/app-kit';
import { RecordMessagesButton } from './record-messages-button.tsx';
import '../setup.ts';

/** This domain's part of an order's actions. */
export default defineSlotModule<'order'>({
  Component: (props) => <RecordMessagesButton what="order" {...props} />,
});
