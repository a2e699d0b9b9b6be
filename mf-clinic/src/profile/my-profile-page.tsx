/** My Profile (`/dash/dProfile`). */
export function MyProfilePage() {
  return <h1 className="text-2xl font-bold">My Profile</h1>;
}
