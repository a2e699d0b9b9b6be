/** CurrentAppoinments (`/dash/appointmentRecord`). */
export function CurrentAppointmentsPage() {
  return <h1 className="text-2xl font-bold">CurrentAppoinments</h1>;
}
