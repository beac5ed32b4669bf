-- Pictures of letters. The name holds a hash of the bytes and the size, so an address never gets other bytes.

create table letter_pictures (
  name     text primary key,   -- HASH-WIDTHxHEIGHT.png or .jpg
  content  text not null,      -- base64
  added_at integer not null
) strict, without rowid;
