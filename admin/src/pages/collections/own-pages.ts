// Collections of features have pages of their own, as far as these are built.

export const ownPages: Record<string, string> = {
  auth: "/admin/users",
  automations: "/admin/automations",
  dataviews: "/admin/dataviews",
  mailer: "/admin/mailer",
  playground: "/admin/playground",
};
