/** Book Appointment (`/appoinment/:_id`). */
export function BookingPage() {
  return <h1 className="text-2xl font-bold">Book Appointment</h1>;
}
