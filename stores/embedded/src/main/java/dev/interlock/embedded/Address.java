package dev.interlock.embedded;

/** Where the store answers and with which password; the password appears in no {@code toString}. */
public record Address(int port, String password) {
    public static final String HOST = "127.0.0.1";
    public static final String DATABASE = "interlock";
    public static final String USER = "interlock";

    public String jdbcUrl() {
        return "jdbc:postgresql://" + HOST + ":" + port + "/" + DATABASE;
    }

    @Override
    public String toString() {
        return "Address[" + jdbcUrl() + "]";
    }
}
