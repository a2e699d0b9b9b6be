/** All My Appoinments (`/dash/patient`). */
export function MyAppointmentsPage() {
  return <h1 className="text-2xl font-bold">All My Appoinments</h1>;
}
