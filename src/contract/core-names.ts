// Names that the service itself uses and that no extension may take.

/** All tools that the service itself brings, by their names without prefix. */
export const coreToolNames = [
  "list_collections",
  "describe_collection",
  "query_collection",
  "search_collection",
  "search_collections",
  "get_object",
  "get_resource",
  "create_object",
  "update_object",
  "patch_object",
  "delete_object",
  "object_history",
  "restore_version",
  "undo_my_changes",
  "list_references",
  "upload_file",
  "list_views",
  "describe_view",
  "query_view",
  "get_view",
  "list_schemas",
  "get_schema",
  "create_schema",
  "update_schema",
  "delete_schema",
  "create_collection",
  "update_collection",
  "get_site_info",
  "list_extensions",
  "clear_cache",
] as const;

/** All filters of templates that the service itself brings, in the order of the alphabet. */
export const coreFilterNames: readonly string[] = `
  abs absolute_url append array_to_sentence_string asset_url at_least at_most avg base64_decode base64_encode
  capitalize ceil cgi_escape compact concat csv date debug default divided_by downcase download_url embed escape
  escape_once excerpt field fields filesize find find_index first floor group_by has headings_ids image_colors
  image_tag image_url initials join json key_by last localize lstrip map markdown markdown_inline minus modulo
  newline_to_br normalize_whitespace number number_of_words obfuscate_email object picture_tag pluralize plus pop
  prepend price push raw readtime reject related relative_date remove remove_first remove_last replace
  replace_first replace_last reverse round rstrip sha256 shift size slice slug slugify sort sort_natural split
  squish stream_url strip strip_html strip_newlines sum t time times to_integer toc truncate truncate_words
  truncatewords uniq unshift upcase uri_escape url url_decode url_encode where where_any with_query xml_escape
`
  .trim()
  .split(/\s+/);
