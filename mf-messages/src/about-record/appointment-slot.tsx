import { defineSlotModule, type SlotProps } from '@clinic/app-kit';
import { RecordMessagesButton } from './record-messages-button.tsx';
import '../setup.ts';

function AppointmentMessages({ id, name, own }: SlotProps['appointment']) {
  return <RecordMessagesButton of={{ appointment: id }} what="appointment" name={name} own={own} />;
}

/** This domain's part of an appointment's actions. */
export default defineSlotModule<'appointment'>({ Component: AppointmentMessages });
