/** All Users (`/dash/admin`). */
export function UsersPage() {
  return <h1 className="text-2xl font-bold">All Users</h1>;
}
