import { defineSlotModule } from '@clinic/app-kit';
import { RecordMessagesButton } from './record-messages-button.tsx';
import '../setup.ts';

/** This domain's part of an appointment's actions. */
export default defineSlotModule<'appointment'>({
  Component: (props) => <RecordMessagesButton what="appointment" {...props} />,
});
